#!/usr/bin/env node
// Starts the program, which is in the one package of optionalDependencies that fits this system.
"use strict";
const { spawn } = require("node:child_process");

const name = `<<scope>>/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/amlfix${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`amlfix: the package ${name} is not installed: there is no program for this system, or npm left out optional dependencies (--omit=optional)`);
  process.exit(3);
}
// A terminal sends Ctrl-C to both; the program decides when it ends. Other signals are passed on.
let child;
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", error => {
  console.error(`amlfix: ${program} cannot be started: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
