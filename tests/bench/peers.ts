import { execFile } from 'node:child_process'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { startEmbeddedBeside } from '@/bin/embedded'
import { demoPassword } from '@/db/seed/demo/accounts'
import { clientSecret } from '../foreign/keycloak/realm'
import { type Keycloak, startKeycloak } from '../foreign/keycloak/server'
import { passwordSignIns } from './cases'
import { measure } from './load'
import {
  type At,
  applicationAt,
  introspections,
  post,
  refreshes,
  serviceAt,
  signInAtApplication,
  token,
  tokens,
  width,
} from './oidc'
import { createStage, environmentOf, machine, originOf, prepareForLoad } from './platform'
import { type Cases, isChosen, medianOf, type Results, rounds, runInTurn, seconds, warm } from './rounds'

const folder = '.data/bench-peers'
const raw = `${folder}/results.txt`

/** By what is compared: our case, theirs, and how many times their rate ours is to be. */
const comparisons: Record<string, [ours: string, theirs: string, target: number]> = {
  'token of client_credentials': ['token', 'token', 4],
  introspection: ['introspection', 'introspection', 1.8],
  'refresh with rotation / theirs without': ['refresh', 'refresh without rotation', 1],
  'refresh, both with rotation': ['refresh', 'refresh with rotation', 1],
  'whole password sign-in / their password grant': ['password sign-in', 'password grant', 5],
}

/** What a run needs and the machine hasn't got: Java starts Keycloak, Maven fetches it. */
async function missing(): Promise<string[]> {
  const has = (command: string) =>
    promisify(execFile)(command, ['-version']).then(
      () => true,
      () => false,
    )
  const needed = { java: 'Java 17 (java)', mvn: 'Maven (mvn), which fetches Keycloak from Maven Central' }
  const lacks = await Promise.all(
    Object.entries(needed).map(async ([command, what]) => ((await has(command)) ? [] : [what])),
  )
  return lacks.flat()
}

const person = { username: 'measured', password: demoPassword }

/** Creates a realm with a client and a person, whose refresh tokens are used once, or again and again. */
async function createRealm({ ask, url }: Keycloak, realm: string, rotates: boolean): Promise<At> {
  await ask('POST', '', {
    ...{ realm, enabled: true, sslRequired: 'none', revokeRefreshToken: rotates, refreshTokenMaxReuse: 0 },
    clients: [
      {
        ...{ clientId: 'measured', secret: clientSecret, enabled: true, redirectUris: [] },
        ...{ serviceAccountsEnabled: true, directAccessGrantsEnabled: true, standardFlowEnabled: false },
        // it tells a client about the tokens that are for this client
        protocolMappers: [
          {
            ...{ name: 'audience', protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper' },
            config: { 'included.client.audience': 'measured', 'access.token.claim': 'true' },
          },
        ],
      },
    ],
    users: [
      {
        ...{ username: person.username, enabled: true, email: 'measured@polaris.example', emailVerified: true },
        ...{ firstName: 'Вера', lastName: 'Орлова', credentials: [{ type: 'password', value: person.password }] },
      },
    ],
  })
  return {
    ...{ origin: url, base: `/realms/${realm}/protocol/openid-connect`, introspection: '/token/introspect' },
    client: { id: 'measured', secret: clientSecret },
  }
}

const print = async (line: string) => {
  console.log(line)
  await appendFile(raw, `${line}\n`)
}

const lacking = await missing()
if (lacking.length > 0) {
  console.error(`this machine has no ${lacking.join(' and no ')}`)
  process.exit(1)
}
await mkdir(folder, { recursive: true })
await writeFile(raw, '')
const stage = createStage()
const embedded = await startEmbeddedBeside({ folder, durable: true })
stage.open.push(embedded)
try {
  const env = await environmentOf(embedded.env)
  Object.assign(process.env, env)
  await stage.build()
  await stage.crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
  const logins = await prepareForLoad()
  await stage.crew.keep({ name: 'the server', args: ['dist/server.js'], env }, stage.failed)
  const keycloak = await startKeycloak(embedded.env.DATABASE_OWNER_URL).catch((cause: Error) => {
    throw new Error('no Keycloak: it is fetched from Maven Central into .data/keycloak, and has a minute to start', {
      cause,
    })
  })
  stage.open.push(keycloak)
  const theirs = await createRealm(keycloak, 'plain', false)
  const rotating = await createRealm(keycloak, 'rotating', true)
  const origin = originOf(env)
  const [service, application] = [serviceAt(origin), applicationAt(origin)]
  const granted = (at: At) => () => post(at, '/token', { grant_type: 'password', scope: 'openid', ...person })
  const grants = async () => {
    await granted(theirs)()
    return 1
  }
  const load = (work: () => Promise<number>) => () => measure(width, seconds, work)
  const cases: Cases = {
    'platform: token': load(tokens(service)),
    'Keycloak: token': load(tokens(theirs)),
    'platform: introspection': load(introspections(service, await token(service))),
    'Keycloak: introspection': load(introspections(theirs, await token(theirs))),
    'platform: refresh': load(await refreshes(application, () => signInAtApplication(origin, 'services'))),
    'Keycloak: refresh without rotation': load(await refreshes(theirs, granted(theirs))),
    'Keycloak: refresh with rotation': load(await refreshes(rotating, granted(rotating))),
    'platform: password sign-in': load(passwordSignIns(origin, logins)),
    'Keycloak: password grant': load(grants),
  }
  // Java compiles what is used often
  await warm(cases)
  await warm(cases)
  const results: Results = new Map()
  await runInTurn(cases, results)

  await print(
    `${machine()}; Keycloak ${keycloak.version}; ${rounds} rounds of ${seconds} s, ${width} requests at once\n`,
  )
  for (const [name, measured] of results) await print(`${name}: ${JSON.stringify(measured)}`)
  await print('\na second: ours, theirs, times (target); processor ms of a unit without the load: ours, theirs\n')
  const spent = (name: string) =>
    medianOf(results, name, ({ cpu }) => (cpu ? cpu.server + cpu.postgres + cpu.redis : Number.NaN)).toFixed(2)
  for (const [what, [our, their, target]] of Object.entries(comparisons)) {
    const names = [`platform: ${our}`, `Keycloak: ${their}`] as const
    if (!names.every(isChosen)) continue
    const [a, b] = names.map((name) => medianOf(results, name, (each) => each.perSecond)) as [number, number]
    await print(
      `${what.padEnd(46)} ${a.toFixed(0).padStart(6)} ${b.toFixed(0).padStart(6)} ${(a / b).toFixed(2).padStart(6)} (>= ${target})   ${names.map(spent).join(', ')}`,
    )
  }
  console.log(`\nalso in ${raw}`)
} finally {
  await stage.stop()
}
