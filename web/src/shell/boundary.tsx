import { Component, type ReactNode } from "react";
import { Failed } from "../parts/states";
import { NotLoaded } from "./loading";
import { TEXTS } from "../texts";

/** The last resort: an error in the page itself is shown, not a blank page. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const missing = error instanceof NotLoaded;
    return (
      <div className="page">
        <Failed
          error={missing ? error.cause : error}
          what={missing ? TEXTS.shell.notLoaded : TEXTS.shell.failed}
          retry={() => this.setState({ error: null })}
        />
      </div>
    );
  }
}
