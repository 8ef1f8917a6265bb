import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/source-serif-4/index.css";
import "./design/tokens.css";
import "./design/base.css";
import "./design/parts.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ServerError } from "./api/problem";
import { ToastArea } from "./parts/toasts";
import { Boundary } from "./shell/boundary";
import { Shell } from "./shell/shell";

const MOST_RETRIES = 1;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => !(error instanceof ServerError) && failures < MOST_RETRIES,
      retryDelay: 400,
      staleTime: 5_000,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

const root = document.getElementById("page");
if (!root) throw new Error("index.html has no #page");
createRoot(root).render(
  <StrictMode>
    <Boundary>
      <QueryClientProvider client={queries}>
        <ToastArea>
          <Shell />
        </ToastArea>
      </QueryClientProvider>
    </Boundary>
  </StrictMode>,
);
