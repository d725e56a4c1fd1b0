/** Boundary rules between folders. test/contract/boundaries.test.ts plants a violation of each. */

/** Layers of src/platform/: a file imports its own layer and those above it in this list, which know nothing of it. */
const layers = [
  '(config|formats|time)/.+|confined-process|errors|memory-limit|rate-limit|serial-cache|slots|thread',
  '(database|log)/.+',
  '(audit|fetch|jobs)/.+',
  '(access|mail)/.+',
  'change|idempotency|merging|personal|search-source|undo',
  'http/.+',
  'figures|module|register-modules',
].map((files) => `^src/platform/(${files})\\.ts$`)

const platformLayers = layers.slice(0, -1).map((layer, index) => ({
  name: 'platform-layers',
  comment:
    'Inside platform/ imports go one way: formats and settings, database, services, access, changes, HTTP.',
  severity: 'error',
  from: { path: layer, pathNot: '\\.test[a-z-]*\\.ts$' },
  to: { path: layers.slice(index + 1), pathNot: layers.slice(0, index + 1) },
}))

module.exports = {
  forbidden: [
    {
      name: 'platform-imports-no-module',
      comment:
        'platform/ is what the modules stand on. Its tests open the whole app. A test looks for tables of modules.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/(?!platform/|embedded-postgres/)' },
    },
    ...platformLayers,
    {
      name: 'platform-layers-are-complete',
      comment: 'A new file or folder of platform/ takes its place in the list of layers.',
      severity: 'error',
      from: {},
      to: { path: '^src/platform/.+\\.ts$', pathNot: [...layers, '\\.test[a-z-]*\\.ts$'] },
    },
    {
      name: 'site-stands-on-modules',
      comment:
        'Pages call the queries and rules of modules, and name the public sources that are declared; a test looks for routes.',
      severity: 'error',
      from: { path: '^src/site/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/(?!modules/|platform/|site/|loaders/sources\\.ts$)' },
    },
    {
      name: 'embedded-postgres-knows-nothing',
      comment:
        'embedded-postgres/ could be a package of its own: it is told all names, and imports no other code, nor do its tests.',
      severity: 'error',
      from: { path: '^src/embedded-postgres/' },
      to: { path: '^(bench|demo|test|tools|web)/|^src/(?!embedded-postgres/)' },
    },
    {
      name: 'no-routes-of-another-module',
      comment:
        "A module may use another's rules and queries, never its routes. A test looks at routes within files of use cases.",
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/.+/routes', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'publications-have-one-door-for-imports',
      comment: 'What imports write into publications goes through publications/importing/.',
      severity: 'error',
      from: { path: '^src/modules/imports/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/modules/publications/', pathNot: '^src/modules/publications/importing/' },
    },
    {
      name: 'changes-write-the-audit-log',
      comment: 'Modules write audit entries through platform/change.ts: with the change, or by `append`.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/platform/audit/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'modules-import-no-composition',
      comment:
        'app.ts, main.ts, the loaders, the commands and the public site use the modules; nothing looks back up.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/[^/]+\\.ts$|^src/(cli|loaders|site)/|^test/' },
    },
    {
      name: 'no-test-code-in-the-service',
      comment: 'What runs in production imports no test and no development dependency.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: {
        path: '\\.test[a-z-]*\\.ts$|^test/|(^|/)node_modules/(vitest|fast-check|smtp-server|opening_hours|oidc-provider)/',
      },
    },
    {
      name: 'demo-is-only-loaded',
      comment:
        'Demo content is put in once, by seed-data.ts: nothing else of the service knows that there is any.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/seed-data\\.ts$' },
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
    {
      name: 'web-app-serves-and-builds-only',
      comment: 'web-app/ builds and serves the browser application on the platform; it knows no module.',
      severity: 'error',
      from: { path: '^src/web-app/', pathNot: '\\.test[a-z-]*\\.ts$' },
      to: { path: '^src/(?!platform/|web-app/)' },
    },
    {
      name: 'web-is-a-client',
      comment:
        'The browser application knows the service by its API, the declarations of fields, of limits and of the subjects of acts, which are plain data, and the readers of opening hours, public holidays, the dates of a series, lines of streets and the contrast of colours, which forms show while they are typed, and the outlines of the départements; the service knows none of its code.',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^(src|demo|test|tools|bench)/',
        pathNot:
          '^src/(modules/([^/]+/(fields|limits|recurrence(-words)?|subjects)|communes/secteurs/streets|defibrillateurs/hours/(opening-hours|periods))|platform/time/public-holidays|site/look/(color|palette))\\.ts$|^src/modules/communes/outlines\\.json$',
      },
    },
    {
      name: 'nothing-imports-the-application',
      comment:
        'Clients in tests are made of the generated types, and tests read the sentences, and texts made of what people type or fields hold: nothing else serves others.',
      severity: 'error',
      from: { path: '^(src|demo|test|tools|bench)/' },
      to: {
        path: '^web/',
        pathNot:
          '^web/src/(api/api\\.generated|text/(fr|fr-first|en)|screens/(acteurs/hours|communes/(fields|collectes/days|elus/pasted-elus)|espace/alerte-text|publications/(detail/facts|writing/(changes|content)))|ui/(addresses|typed-dates))\\.ts$',
      },
    },
    {
      name: 'ui-stands-alone',
      comment:
        'web/src/ui/ is a library of components: beside its words it knows no screen, no frame and no API.',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(?!ui/|text/)' },
    },
    {
      name: 'screens-of-one-area',
      comment: 'A screen uses what its own area has, the frame and the components; never another area.',
      severity: 'error',
      from: { path: '^web/src/screens/(?!espace/)([^/]+)/' },
      to: { path: '^web/src/(screens/(?!$1/)|router|main)' },
    },
    {
      name: 'space-of-shared-parts',
      comment:
        'Members see the records of several areas, in the forms, lists and views that administrators have: these alone, never their screens or queries.',
      severity: 'error',
      from: { path: '^web/src/screens/espace/' },
      to: {
        path: '^web/src/(screens/(?!espace/)|router|main)',
        pathNot: [
          '^web/src/screens/acteurs/((contact-fields|hours-field|logo-field|member-form)\\.tsx|hours\\.ts)$',
          '^web/src/screens/acts/states?\\.tsx?$',
          '^web/src/screens/alertes/(cells|managed|search|store)\\.tsx?$',
          '^web/src/screens/communes/(editing\\.ts$|(collectes|elus|infos)/)',
          '^web/src/screens/publications/(deciding/schedule|detail/|review/(actions|list|review\\.module)|writing/)',
        ],
      },
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
