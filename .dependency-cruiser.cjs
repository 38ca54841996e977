/** Who may import whom. ARCHITECTURE.md describes the layers; each rule says what it keeps apart. */

/** The subjects of `lib` from bottom to top: a subject imports only those before it. */
const subjects = [
  'base',
  'site',
  'network',
  'messaging',
  'identity-providers',
  'access',
  'applications',
  'fields',
  'accounts',
  'companies',
  'documents',
  'news',
  'sign-in',
  'joining',
  'account-administration',
  'directory-sync',
  'exchanges',
  'my-account',
  'openid',
  'operations',
]
const anySubject = subjects.join('|')

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'two modules that need each other are one, or share a third',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every-subject-has-its-place',
      comment: 'name a new folder of lib in `subjects`',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${anySubject}|request|wiring)/` },
      to: {},
    },
    ...subjects.map((subject, at) => ({
      name: `${subject}-imports-only-what-is-below-it`,
      severity: 'error',
      from: { path: `^lib/${subject}/` },
      to: {
        path: `^(app|components|bin|db/(migrate|seed)|lib/(${[...subjects.slice(at + 1), 'request', 'wiring'].join('|')}))(/|\\.ts$)`,
      },
    })),
    {
      name: 'contracts-cross-the-wire',
      comment: 'the browser loads them and all that they load',
      severity: 'error',
      from: { path: '^lib/.+/contract\\.ts$' },
      to: { path: '^(app|bin|components|db|lib/(request|wiring))/|/(service|queries)\\.ts$', reachable: true },
    },
    {
      name: 'queries-know-only-the-database',
      severity: 'error',
      from: { path: '^lib/.+/queries\\.ts$' },
      to: { path: '^lib/.+/service\\.ts$|^node_modules/next' },
    },
    {
      name: 'queries-belong-to-their-module',
      comment: 'others ask its service',
      severity: 'error',
      from: { path: '^lib/([^/]+/[^/]+)/' },
      to: { path: '^lib/[^/]+/[^/]+/[^/]*queries\\.ts$', pathNot: '^lib/$1/' },
    },
    {
      name: 'rows-are-made-in-queries',
      comment: 'a service reaches the tables that its own queries offer, and no other',
      severity: 'error',
      from: { path: '^(app|bin|components|lib|middleware\\.ts$)', pathNot: '^lib/[^/]+/[^/]+/[^/]*queries\\.ts$' },
      to: { path: '^db/rows\\.ts$' },
    },
    {
      name: 'pages-and-routes-call-services',
      severity: 'error',
      from: { path: '^(app/|lib/(request|wiring)/|middleware\\.ts$)' },
      to: { path: '^db/|/queries\\.ts$' },
    },
    {
      name: 'components-only-show',
      severity: 'error',
      from: { path: '^components/' },
      to: { path: '^(app|db|bin)/|/(service|queries)\\.ts$' },
    },
    {
      name: 'tables-stand-alone',
      severity: 'error',
      from: { path: '^db/(schema/|(client|list|rows)\\.ts$)' },
      to: { path: `^(app|components|bin|lib/(${[...subjects.slice(1), 'request', 'wiring'].join('|')}))/` },
    },
    {
      name: 'next-auth-only-in-sessions',
      severity: 'error',
      from: { pathNot: '^lib/sign-in/sessions/' },
      to: { path: '^node_modules/next-auth/' },
    },
    {
      name: 'services-run-without-next',
      comment: 'server, worker and tests run them as they are',
      severity: 'error',
      from: { path: `^(db|lib/(${anySubject}))/` },
      to: { path: '^node_modules/next/' },
    },
    {
      name: 'headers-only-in-requests',
      severity: 'error',
      from: { pathNot: '^lib/request/' },
      to: { path: '^node_modules/next/headers' },
    },
    {
      name: 'handlers-are-registered-in-one-place',
      comment: 'a handler that one process registers and another does not is heard in one of them',
      severity: 'error',
      from: { path: '^(app|bin|components|db|lib)/', pathNot: '^lib/(wiring/(compose|tasks)\\.ts$|base/)' },
      to: { path: '^lib/base/handlers\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-development-packages-in-production',
      severity: 'error',
      from: { path: '^(app|components|db|lib)/', pathNot: '^db/seed/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(svg|css|json)$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
