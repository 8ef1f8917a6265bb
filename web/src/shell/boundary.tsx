import { Component, type ReactNode } from "react";
import { Failed } from "../parts/states";

/** The last resort: an error in the page itself is shown, not a blank page. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <main className="page">
        <Failed
          error={this.state.error}
          what="This page broke."
          retry={() => this.setState({ error: null })}
        />
      </main>
    );
  }
}
