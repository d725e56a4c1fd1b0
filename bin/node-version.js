// Plain JavaScript that any Node can read: it says in one sentence what is wrong before anything newer is loaded.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Parvis needs Node 24 or newer and this is Node ${process.versions.node}: run it through npm after "npm ci" ` +
      '(without --omit=optional), which brings its own Node, or install Node 26.',
  )
  process.exit(1)
}
