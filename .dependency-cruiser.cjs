/** The walls of the house; test/boundaries.test.ts plants a violation of each to see it caught. */
module.exports = {
  forbidden: [
    {
      name: 'platform-imports-no-module',
      comment: 'platform/ is what the modules stand on.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/(?!platform/|embedded-postgres/)' },
    },
    {
      name: 'embedded-postgres-knows-nothing',
      comment:
        'embedded-postgres/ could be a package of its own: it is told all names, and imports no other code.',
      severity: 'error',
      from: { path: '^src/embedded-postgres/' },
      to: { path: '^src/(?!embedded-postgres/)' },
    },
    {
      name: 'no-routes-of-another-module',
      comment: "A module may use another's rules and queries, never its routes.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/.+/routes', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'modules-import-no-composition',
      comment:
        'app.ts, main.ts, the loaders and the commands put the modules together; nothing looks back up.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/[^/]+\\.ts$|^src/(cli|loaders)/|^test/' },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'What runs in production imports no test and no development dependency.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '\\.test[a-z-]*\\.ts$|^test/|(^|/)node_modules/(vitest|fast-check|smtp-server)/' },
    },
    {
      name: 'demo-is-only-loaded',
      comment:
        'Demo content is put in once, by first-loads.ts: nothing else of the service knows that there is any.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/first-loads\\.ts$' },
      to: { path: '^demo/' },
    },
    {
      name: 'demo-loads-through-modules',
      comment:
        'Demo content goes the way of real content: through modules and platform, and never by a route.',
      severity: 'error',
      from: { path: '^demo/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/(?!loaders/|modules/|platform/)|^src/modules/.+/routes|^(test|tools)/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
