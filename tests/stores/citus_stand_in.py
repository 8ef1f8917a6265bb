"""An extension called citus that writes down what it is asked, and refuses what Citus refuses.

It spreads nothing: it shows that the right things are asked in the right order.
"""

from pathlib import Path

import psycopg

CONTROL = "default_version = '1.0'\nrelocatable = true\n"
SCRIPT = """
CREATE TABLE pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL);
CREATE TABLE citus_calls (
    number serial, call text NOT NULL, guarded boolean NOT NULL, mode text, forwarded text
);
GRANT ALL ON pg_dist_partition, citus_calls, citus_calls_number_seq TO PUBLIC;

CREATE FUNCTION citus_heard(call text, relation regclass) RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.citus_calls (call, guarded, mode, forwarded)
    SELECT call, relrowsecurity, current_setting('citus.multi_shard_modify_mode', true),
        current_setting('citus.propagate_set_commands', true)
    FROM pg_class WHERE oid = relation
$$;

CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column text, distribution_type text DEFAULT 'hash',
    colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    refused text;
BEGIN
    SELECT string_agg(c.conname, ', ') INTO refused FROM pg_constraint AS c
    WHERE c.conrelid = table_name AND c.contype = 'f'
        AND c.confrelid NOT IN (SELECT logicalrelid FROM public.pg_dist_partition);
    IF refused IS NOT NULL THEN
        RAISE 'cannot create foreign key constraint % before the table it refers to', refused;
    END IF;
    SELECT string_agg(i.indexrelid::regclass::text, ', ') INTO refused
    FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attname = distribution_column
    WHERE i.indrelid = table_name AND i.indisunique AND a.attnum <> ALL (i.indkey);
    IF refused IS NOT NULL THEN
        RAISE 'unique indexes without the distribution column: %', refused;
    END IF;
    INSERT INTO public.pg_dist_partition VALUES (table_name, 'h');
    PERFORM public.citus_heard(format('%s by %s beside %s', table_name, distribution_column, colocate_with),
        table_name);
END $$;

CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.pg_dist_partition VALUES (table_name, 'n');
    PERFORM public.citus_heard(format('%s everywhere', table_name), table_name);
END $$;

CREATE FUNCTION truncate_local_data_after_distributing_table(table_name regclass)
RETURNS void LANGUAGE sql AS $$
    SELECT public.citus_heard(format('%s emptied', table_name), table_name)
$$;

CREATE FUNCTION citus_total_relation_size(logicalrelid regclass, fail_on_error boolean DEFAULT true)
RETURNS bigint LANGUAGE sql AS 'SELECT pg_total_relation_size(logicalrelid)';
"""


def install(db: psycopg.Connection, folder: Path) -> None:
    """Make the extension in the database of a superuser's connection.

    Args:
        db: The connection.
        folder: Where its files go; the server must be able to read them.
    """
    place = folder / "extension"
    place.mkdir(parents=True, exist_ok=True)
    (place / "citus.control").write_text(CONTROL)
    (place / "citus--1.0.sql").write_text(SCRIPT)
    for each in (folder, place):
        each.chmod(0o755)
    db.execute(f"SET extension_control_path = '$system:{folder}'")
    db.execute("CREATE EXTENSION citus SCHEMA public")
