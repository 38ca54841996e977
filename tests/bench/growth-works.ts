import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { browserOf, codeRequests, idOf, pages, passwordSignIns } from './cases'
import { innOf, searched, wordOf } from './filling'
import { applicationAt, introspections, refreshes, serviceAt, signInAtApplication, token, tokens, width } from './oidc'
import { type Environment, originOf, type Stage } from './platform'
import type { Amounts } from './seeded'
import { userPaths } from './users'

/** What is measured: how often at once, and the work, which returns its units. */
export type Works = Record<string, [width: number, work: () => Promise<number>]>

const api = '/api/v1/platform'
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** The addresses below the REST API that an administrator reads; `{person}` and so on stand for ids. */
const administrated: Record<string, string> = {
  'users, last page': '/setting/users?sort=desc',
  'users, page 20': '/setting/users?meta[page]=20',
  'history, list': '/setting/history',
  'history, last page': '/setting/history?sort=asc',
  'history, page 100': '/setting/history?meta[page]=100&meta[perPage]=20',
  'history, a rare address': '/setting/history?filter[ip]=198.51.100.200',
  'history, a rare kind of object': '/setting/history?filter[entity]=device-types',
  'history, a day': `/setting/history?filter[dateFrom]=${day(1)}&filter[dateTo]=${day(1)}`,
  'history, a part of a name': `/setting/history${searched(wordOf(777).slice(0, 7))}`,
  'history, an object by its id': '/setting/history?filter[search]={person}',
  'history, of a person': '/setting/history?filter[changer]={person}',
  'sign-in log, list': '/setting/sign-ins',
  'sign-in log, last page': '/setting/sign-ins?sort=asc',
  'sign-in log, a login': `/setting/sign-ins${searched('login-777')}`,
  'sign-in log, failures': '/setting/sign-ins?filter[success]=false',
  'sign-in log, a cause': '/setting/sign-ins?filter[cause]=wrongPassword',
  'sign-in log, a cause that is not there': '/setting/sign-ins?filter[cause]=smsUnavailable',
  'sign-in log, a rare address': '/setting/sign-ins?filter[ip]=198.51.100.200',
  'sign-in log, of a person': '/setting/sign-ins?filter[userId]={person}',
  'sign-in log, a day': `/setting/sign-ins?filter[dateFrom]=${day(1)}&filter[dateTo]=${day(1)}`,
  'sessions at applications': '/setting/applications/sessions',
  'sessions at applications, last page': '/setting/applications/sessions?sort=asc',
  'sessions at applications, search': `/setting/applications/sessions${searched(wordOf(777).slice(0, 7))}`,
  'roles, list': '/setting/roles',
  'roles, search': `/setting/roles${searched('measured')}`,
  'roles, card': '/setting/roles/{common}',
  'roles, holders': '/setting/roles/{common}/holders',
  'roles, holders, last page': '/setting/roles/{common}/holders?sort=desc',
  'roles, holders, search': `/setting/roles/{common}/holders${searched(wordOf(777).slice(0, 7))}`,
  'roles, holders of a rare one': '/setting/roles/{rare}/holders',
  'contractors, list': '/setting/contractors',
  'contractors, last page': '/setting/contractors?sort=desc',
  'contractors, by change': '/setting/contractors?sortBy=updatedAt&sort=desc',
  'contractors, search': `/setting/contractors${searched('measured contractor {last}')}`,
  'contractors, search by inn': `/setting/contractors${searched(innOf(7).slice(0, 9))}`,
  'contractors, card': '/setting/contractors/{contractor}',
  'contractors, people': '/setting/contractors/{contractor}/people',
  ...Object.fromEntries(
    ['sessions', 'browsers', 'agreements', 'access-requests', 'invitations', 'messages', 'limits', 'applications'].map(
      (tab) => [`card of a user, ${tab}`, `/setting/users/{person}/${tab}`],
    ),
  ),
  'menu with badges': '/ui/menu',
  notifications: '/notify/personal-account/last',
}

/** What a person reads of the own account. */
const ofPerson = ['/user/profile', '/user/sessions', '/user/profile/history', '/user/profile/contacts']

/** Begins an export, and ends it when its first bytes are there. */
const firstBytes = (origin: string, path: string, cookies: Map<string, string>) => () =>
  new Promise<number>((resolve, reject) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    request(origin + path, { headers: { cookie, 'sec-fetch-site': 'same-origin' } }, (answer) => {
      answer.once('data', () => {
        answer.destroy()
        if (answer.statusCode === 200) resolve(1)
        else reject(new Error(`${path} answered ${answer.statusCode}`))
      })
      answer.once('error', () => {})
    })
      .once('error', reject)
      .end()
  })

/** Starts a process that does steps of housekeeping. */
async function housekeeping(env: Environment, { open }: Stage): Promise<Works> {
  const childEnv = { ...process.env, ...env }
  const child: ChildProcess = fork('tests/bench/housekeeping.ts', { execArgv: ['--import', 'tsx'], env: childEnv })
  open.push({ stop: () => child.disconnect() })
  const [{ steps }] = (await once(child, 'message')) as [{ steps: string[] }]
  const work = (name: string) => async () => {
    child.send(name)
    const [{ fault }] = (await once(child, 'message')) as [{ fault?: string }]
    if (fault) throw new Error(`housekeeping, ${name}: ${fault}`)
    return 1
  }
  return Object.fromEntries(steps.map((name) => [`housekeeping, ${name}`, [1, work(name)]]))
}

/** Everything that is measured with a database of this size, by one server. */
export async function growthWorks(env: Environment, { users }: Amounts, stage: Stage): Promise<Works> {
  const origin = originOf(env)
  const administrator = await browserOf(origin, 'admin')
  const person = await browserOf(origin, 'login-778')
  const ids: Record<string, string> = {
    person: await idOf(origin, administrator, 'users', 'login-777'),
    common: await idOf(origin, administrator, 'roles', 'measured common'),
    rare: await idOf(origin, administrator, 'roles', 'measured rare'),
    contractor: await idOf(origin, administrator, 'contractors', 'measured contractor 7'),
    // no other number begins with it
    last: String(Math.ceil(users / 20)),
  }
  const read = (path: string, cookies = administrator): [number, () => Promise<number>] => [
    2,
    pages(origin, path, cookies),
  ]
  // one of twenty is disabled
  const logins = Array.from({ length: 1_000 }, () => 1 + Math.floor(Math.random() * users))
    .filter((n) => n % 20 > 0)
    .map((n) => `login-${n}`)
  const signedIn = await signInAtApplication(origin, 'services')
  const at = { service: serviceAt(origin), application: applicationAt(origin) }
  return {
    'password sign-in': [8, passwordSignIns(origin, logins)],
    'code request and entry': [8, codeRequests(origin)],
    'sign-in page': [4, pages(origin, '/platform/login')],
    'token of client_credentials': [8, tokens(at.service)],
    introspection: [8, introspections(at.service, await token(at.service))],
    "introspection of a person's token": [8, introspections(at.application, signedIn)],
    refresh: [width, await refreshes(at.application, () => signInAtApplication(origin, 'services'))],
    ...Object.fromEntries(ofPerson.map((path) => [`own account, ${path}`, read(api + path, person)])),
    ...Object.fromEntries(
      Object.entries(await userPaths(origin, administrator, users)).map(([use, path]) => [`users, ${use}`, read(path)]),
    ),
    ...Object.fromEntries(
      Object.entries(administrated).map(([use, path]) => [
        use,
        read(api + path.replace(/(?:\{|%7B)(\w+)(?:\}|%7D)/, (_, name: string) => ids[name] ?? '')),
      ]),
    ),
    'overview, page': read('/platform/setting'),
    'users, page': read('/platform/setting/users'),
    metrics: [1, pages(`http://127.0.0.1:${env.METRICS_PORT}`, '/metrics')],
    ...Object.fromEntries(
      ['users', 'history'].flatMap((list) =>
        ['csv', 'xlsx'].map((format) => [
          `first bytes of an export of the ${list} as ${format}`,
          [1, firstBytes(origin, `${api}/setting/${list}/export?format=${format}`, administrator)],
        ]),
      ),
    ),
    ...(await housekeeping(env, stage)),
  }
}
