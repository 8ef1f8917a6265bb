import { useLatencies } from "../../api/queries";
import { counted } from "../../design/format";
import { Answered } from "../../parts/states";

const told = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** How long requests took since the server started. */
export function Latency() {
  const latencies = useLatencies();
  return (
    <section className="card" aria-label="Latency">
      <h2>Latency</h2>
      <Answered query={latencies} what="latencies" rows={1}>
        {(routes) => {
          if (routes === null)
            return <p className="soft">Only keys with the role admin can see these figures.</p>;
          if (routes.length === 0) return <p className="soft">No requests since the server started.</p>;
          return (
            <>
              <table className="grid-table">
                <thead>
                  <tr>
                    <th scope="col">What</th>
                    <th scope="col" className="number">
                      Times
                    </th>
                    <th scope="col" className="number">
                      Half within
                    </th>
                    <th scope="col" className="number">
                      95 % within
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
              <p className="small faint">
                Reckoned from the histograms at <code>/metrics</code>, since the server started.
              </p>
            </>
          );
        }}
      </Answered>
    </section>
  );
}
