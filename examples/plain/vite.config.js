import { defineConfig } from "vite";

// The page awaits its configuration at the top level.
export default defineConfig({ build: { target: "es2022" } });
