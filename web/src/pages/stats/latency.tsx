import { useLatencies } from "../../api/queries";
import { counted } from "../../design/format";
import { Answered } from "../../parts/states";
import { TEXTS } from "../../texts";

const { stats: texts } = TEXTS;

const told = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** How long requests took since the server started. */
export function Latency() {
  const latencies = useLatencies();
  return (
    <section className="card" aria-label={texts.latency}>
      <h2>{texts.latency}</h2>
      <Answered query={latencies} what="latencies" rows={1}>
        {(routes) => {
          if (routes === null) return <p className="soft">{texts.latencyAdmin}</p>;
          if (routes.length === 0) return <p className="soft">{texts.latencyNone}</p>;
          return (
            <>
              <table className="grid-table">
                <thead>
                  <tr>
                    <th scope="col">{texts.what}</th>
                    <th scope="col" className="number">
                      {texts.times}{" "}
                    </th>
                    <th scope="col" className="number">
                      {texts.half}{" "}
                    </th>
                    <th scope="col" className="number">
                      {texts.most}{" "}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {routes.map((one) => (
                    <tr key={one.name}>
                      <th scope="row">{one.name}</th>
                      <td className="number">{counted(one.count)}</td>
                      <td className="number">{told(one.p50_ms)}</td>
                      <td className="number">{told(one.p95_ms)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <p className="small faint">{texts.latencyHint} </p>
            </>
          );
        }}
      </Answered>
    </section>
  );
}
