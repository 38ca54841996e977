/** Who may import whom. The rooms are described in docs; each rule says what it keeps apart. */
const wings = 'entry|profile|people|platform|operations|oidc'

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
      name: 'kernel-knows-no-wing',
      severity: 'error',
      from: { path: '^lib/kernel/' },
      to: { path: `^(app|components|bin|db/(migrate|seed)|lib/(context|${wings}))(/|\\.ts$)` },
    },
    {
      name: 'platform-is-the-lowest-wing',
      severity: 'error',
      from: { path: '^lib/platform/' },
      to: { path: '^lib/(context|entry|profile|people|operations|oidc)/' },
    },
    {
      name: 'people-stand-on-platform-alone',
      severity: 'error',
      from: { path: '^lib/people/' },
      to: { path: '^lib/(context|entry|profile|operations|oidc)/' },
    },
    {
      name: 'entry-knows-no-wing-above-it',
      severity: 'error',
      from: { path: '^lib/entry/' },
      to: { path: '^lib/(profile|oidc|operations)/' },
    },
    {
      name: 'profile-knows-no-provider',
      severity: 'error',
      from: { path: '^lib/profile/' },
      to: { path: '^lib/(oidc|operations)/' },
    },
    {
      name: 'the-provider-knows-no-profile',
      severity: 'error',
      from: { path: '^lib/oidc/' },
      to: { path: '^lib/(profile|operations)/' },
    },
    {
      name: 'wings-do-not-know-the-context',
      comment: 'they are given one',
      severity: 'error',
      from: { path: `^lib/(${wings})/` },
      to: { path: '^(app|components|bin|lib/context)/' },
    },
    {
      name: 'contracts-cross-the-wire',
      comment: 'the browser loads them and all that they load',
      severity: 'error',
      from: { path: '^lib/.+/contract\\.ts$' },
      to: { path: '^(app|bin|components|db|lib/context)/|/(service|queries)\\.ts$', reachable: true },
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
      to: { path: '^lib/[^/]+/[^/]+/queries\\.ts$', pathNot: '^lib/$1/' },
    },
    {
      name: 'pages-and-routes-call-services',
      severity: 'error',
      from: { path: '^(app/|lib/context/|middleware\\.ts$)' },
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
      from: { path: '^db/(schema/|client\\.ts$|list\\.ts$)' },
      to: { path: `^(app|components|bin|lib/(context|${wings}))/` },
    },
    {
      name: 'next-auth-only-in-sessions',
      severity: 'error',
      from: { pathNot: '^lib/entry/sessions/' },
      to: { path: '^node_modules/next-auth/' },
    },
    {
      name: 'services-run-without-next',
      comment: 'server, worker and tests run them as they are',
      severity: 'error',
      from: { path: `^(db|lib/(kernel|${wings}))/` },
      to: { path: '^node_modules/next/' },
    },
    {
      name: 'headers-only-in-context',
      severity: 'error',
      from: { pathNot: '^lib/context/' },
      to: { path: '^node_modules/next/headers' },
    },
    {
      name: 'handlers-are-registered-in-one-place',
      comment: 'a handler that one process registers and another does not is heard in one of them',
      severity: 'error',
      from: { path: '^(app|bin|components|db|lib)/', pathNot: '^lib/(context/(compose|tasks)\\.ts$|kernel/)' },
      to: { path: '^lib/kernel/handlers\\.ts$', dependencyTypesNot: ['type-only'] },
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
