import { defineConfig } from "vite";

// The page awaits its configuration at the top level. The compiler of Angular is large.
export default defineConfig({ build: { target: "es2022", chunkSizeWarningLimit: 2_000 } });
