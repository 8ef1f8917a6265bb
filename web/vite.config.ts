import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = "http://127.0.0.1:8377";
const api = [
  "/api",
  "/conflicts",
  "/export",
  "/feedback",
  "/graph",
  "/import",
  "/memories",
  "/metrics",
  "/search",
  "/thresholds",
  "/timeline",
];

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../src/recollect/server/web",
    emptyOutDir: true,
    target: "es2022",
    manifest: "manifest.json",
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    sourcemap: false,
  },
  worker: { format: "es" },
  server: { proxy: Object.fromEntries(api.map((path) => [path, server])) },
});
