/** The title and description of each tag. */
const tagTitles: Record<string, { title: string; description: string }> = {
  'start-up': { title: 'Start', description: 'What a page needs first: look, settings, menus, languages.' },
  'sign-in': { title: 'Sign-in', description: 'Signing in step by step, and out.' },
  registration: { title: 'Registration', description: 'Getting an account.' },
  invitation: { title: 'Invitations', description: 'Reading and accepting an invitation to a contractor.' },
  passwords: { title: 'Passwords', description: 'Recovery, the first password, links to both.' },
  documents: { title: 'Documents', description: 'Agreements and other published documents.' },
  sessions: { title: 'Sessions', description: 'Where a person is signed in.' },
  'user-applications': {
    title: 'Applications with access',
    description: 'Which applications may learn something of a person.',
  },
  personal: { title: 'Personal data', description: 'What people set for themselves.' },
  invitations: { title: 'Sent invitations', description: 'Inviting people to a contractor, and what became of it.' },
  companies: { title: 'Companies', description: 'The contractors that a person belongs to.' },
  contacts: { title: 'Contacts', description: 'The colleagues of a person, and what managers change of them.' },
  'access-requests': {
    title: 'Access requests',
    description: 'How people ask to work for a company, and managers decide.',
  },
  'access-lists': { title: 'Address lists', description: 'Which network addresses get in.' },
  monitoring: { title: 'Monitoring', description: 'Events that were not delivered.' },
  'network-aliases': { title: 'Network aliases', description: 'Named groups of addresses.' },
  'authentication-schemas': {
    title: 'Sign-in schemas',
    description: 'By which factors people prove who they are, and for whom each schema applies.',
  },
  'device-types': { title: 'Device types', description: 'The device types that domains can distinguish.' },
  users: { title: 'Users', description: 'Finding accounts, and helping people who can’t get in.' },
  'dynamic-fields': {
    title: 'Dynamic fields',
    description: 'What is known of people, contractors and personnel actions, and in which forms.',
  },
  notifications: { title: 'Live events', description: 'Events for open pages.' },
}

/** Returns a tag for OpenAPI. Without a title here, the title is made from its name: “News feeds” from `news-feeds`. */
export function tagOf(name: string) {
  const words = name.replaceAll('-', ' ')
  const { title = words.charAt(0).toUpperCase() + words.slice(1), description } = tagTitles[name] ?? {}
  return { name, 'x-displayName': title, ...(description ? { description } : {}) }
}

/** The values with which the examples sign in. */
type Samples = { platform: string; client: string; login: string; password: string }
const demoSamples: Samples = {
  platform: 'http://localhost:3000',
  client: 'warehouse-sync:warehouse-sync-demo-secret',
  login: 'one-service',
  password: 'Polaris-2026-demo',
}
/** Placeholders for the reader's own values, for installations without demo data. */
const ownSamples: Samples = {
  platform: 'https://platform.example.com',
  client: 'CLIENT_ID:CLIENT_SECRET',
  login: 'YOUR_LOGIN',
  password: 'YOUR_PASSWORD',
}

/** Returns commands that get a token of a service account and store it in TOKEN. */
const tokenSample = ({ platform, client }: Samples) => `PLATFORM=${platform}
TOKEN=$(curl -s -u ${client} \\
  -d grant_type=client_credentials "$PLATFORM/oidc/token" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`

/** Returns commands that sign in as a person; curl stores the cookie in a file. */
const sessionSample = ({ platform, login, password }: Samples) => `PLATFORM=${platform}
curl -s -c cookies.txt "$PLATFORM/api/v1/platform/auth/config/login?login=${login}"
curl -s -b cookies.txt -c cookies.txt -H "Origin: $PLATFORM" -H 'Content-Type: application/json' \\
  -d '{"flow":"credentials","login":"${login}","password":"${password}"}' \\
  "$PLATFORM/api/v1/platform/auth/login/login"`

/** Returns the sentences on what the examples run against. */
const targetText = (demo: boolean) =>
  demo
    ? 'The examples run against the demo (`npm install && npm run demo`). They need a shell with curl, and the variables of the next section.'
    : 'The examples need a shell with curl, and the variables of the next section: put the address, the client and the account of your own there.'

/** Returns the introduction of the document, in Markdown. Its examples sign in with demo data if there is some. */
export function introduction(demo: boolean): string {
  const samples = demo ? demoSamples : ownSamples
  return `Everything that the pages of the platform do, they do by these calls; an application may make the same ones. Signing people in to an application is not here: that is OpenID Connect, whose discovery is at \`/oidc/.well-known/openid-configuration\`.

${targetText(demo)}

# Authentication

A call says whom it needs.

**An application** (\`serviceAccount\`) sends a bearer token of \`client_credentials\`. It may make the calls of the methods that its service account holds, from the addresses that it allows. A request with a token ignores cookies.

\`\`\`sh
${tokenSample(samples)}
\`\`\`

**A person** (\`session\`) has the cookie of a session, which the calls of sign-in set. A write with a cookie must come from a page of the platform: a browser proves that by \`Sec-Fetch-Site\` or \`Origin\`, anything else is 403 \`forbiddenOrigin\`.

\`\`\`sh
${sessionSample(samples)}
\`\`\`

Calls that need nobody work without both.

# Errors

A failure has a status of 4xx or 5xx and one body for all calls:

\`\`\`json
{ "code": "errorFields", "message": "errorFields", "requestId": "1f0c…", "data": { "errorList": [{ "field": "name", "code": "errorEmpty" }] } }
\`\`\`

\`code\` says what happened; each call lists its codes by status. \`data.errorList\` names the wrong fields. Show people texts of your own for the codes: \`message\` is for logs. \`requestId\`, also in the header \`x-request-id\`, finds the request in the log of the platform. An address below \`/api\` that is not here is 404 \`notFound\`; a wrong method is 405 with \`Allow\`.

After a 503 a write may have happened or not. Send it again with the same \`Idempotency-Key\`.

# Paging

Lists take \`meta[page]\` (from 1) and \`meta[perPage]\` (10, 20, 50 or 100), \`sortBy\` and \`sort\`, and their filters as \`filter[…]\`. They answer their rows and a \`meta\` with \`page\`, \`perPage\`, \`total\` and \`pages\`.

Long lists also page by cursor: send \`meta[after]\` or \`meta[before]\` with the \`after\` or \`before\` of the last answer in place of a page number. A cursor skips and repeats no row while others write. It is valid for its list, filter, order and caller; any other is 400 \`errorCursor\`.

# Idempotency

A POST may have an \`Idempotency-Key\`. The same request with the same key gets the first answer for 24 hours. Another request with that key is 400 \`idempotencyKeyReused\`; while the first one runs, 409 \`idempotencyKeyRunning\`; if it was carried out and its answer was lost, 409 \`idempotencyKeyDone\`. Calls that take passwords, codes or secrets ignore the key.

# Versions

A row that can be changed has an \`updatedAt\`. Send it back with the change: if somebody wrote the row since, the answer is 409 and nothing changes.

# Rate limits

Sign-in, codes, links and uploads are limited by account and by address. A call over its limit is 429, and \`Retry-After\` says in how many seconds to try again. Calls of administration have no limit of their own.`
}

type Caller = 'nobody' | 'person' | 'service'
type Example = {
  /** The name of the call. */
  call: string
  as: Caller
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
}

/** The examples, at most one for each call: each runs against the demo and answers 200. */
const examples: Example[] = [
  { call: 'getProjectInfo', as: 'nobody' },
  { call: 'getPublicSettings', as: 'nobody' },
  { call: 'getCountryCodes', as: 'nobody' },
  { call: 'listSessions', as: 'person', query: { 'meta[perPage]': '10' } },
  { call: 'listUserApplications', as: 'person', query: { 'filter[type]': 'own' } },
  {
    call: 'listNetworkAliases',
    as: 'service',
    query: { 'filter[search]': 'office', 'meta[page]': '1', 'meta[perPage]': '20', sortBy: 'updatedAt', sort: 'desc' },
  },
  {
    call: 'createNetworkAlias',
    as: 'service',
    body: { name: 'Gate 7', ips: [{ ip: '192.0.2.0/28', comment: 'scales' }], comment: 'keeps the gate open' },
  },
  { call: 'searchNetworkAliases', as: 'service', query: { searchValue: 'gate' } },
  { call: 'listDeviceTypes', as: 'service', query: { sortBy: 'code', sort: 'asc' } },
]

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const proofs: Record<Caller, string[]> = {
  nobody: [],
  person: ['-b cookies.txt'],
  service: ['-H "Authorization: Bearer $TOKEN"'],
}

/** Returns query parameters as OpenAPI names them: `meta[page]` is part of the object `meta`. */
function groupedQuery(query: Record<string, string>): Record<string, unknown> {
  const groups: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(query)) {
    const [, name = key, part] = /^(\w+)\[(\w+)\]$/.exec(key) ?? []
    groups[name] = part ? { ...(groups[name] as object | undefined), [part]: value } : value
  }
  return groups
}

/** Returns the example of a call: its parameters, its body and a command for a shell; undefined without one. */
export function exampleOf({ name, method, path }: { name: string; method: string; path: string }) {
  const example = examples.find(({ call }) => call === name)
  if (!example) return undefined
  const { as, params = {}, query = {}, body } = example
  const address = path.replace(/\{(\w+)\}/g, (_, key) => params[key] ?? '')
  const parts = [
    ...proofs[as],
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(date +%s%N)"'] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
    ...(Object.keys(query).length > 0 ? ['-G'] : []),
    ...Object.entries(query).map(([key, value]) => `--data-urlencode ${quoted(`${key}=${value}`)}`),
  ]
  const source = ['curl -s', ...parts, `"$PLATFORM/api/v1/platform${address}"`].join(' \\\n  ')
  return { query: groupedQuery(query), params, body, source }
}

/** Names of the calls that have an example. */
export const exampleCalls = examples.map(({ call }) => call)
