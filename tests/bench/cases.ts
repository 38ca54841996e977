import { demoPassword } from '@/db/seed/demo/accounts'
import { searched } from './filling'
import { send } from './load'
import { anyAddress } from './trust'

const api = '/api/v1/platform'
/** Stops the benchmark, because what it measures failed. */
const must = (ok: boolean, what: string) => {
  if (!ok) throw new Error(`the benchmark itself failed: ${what}`)
}

/** Signs one of the people in, with both steps, in a browser that is known after the first time. */
export function passwordSignIns(origin: string, logins: string[]) {
  const devices = new Map<string, string>()
  let next = 0
  return async () => {
    const login = logins[next++ % logins.length] ?? ''
    const headers = { 'x-forwarded-for': anyAddress() }
    const device = devices.get(login)
    const cookies = new Map(device ? [['platform-device', device]] : [])
    const begun = await send(origin, { path: `${api}/auth/config/login?login=${login}`, headers, cookies })
    const body = { flow: 'credentials', login, password: demoPassword }
    const done = await send(origin, {
      method: 'POST',
      path: `${api}/auth/login/login`,
      headers,
      body,
      cookies: begun.cookies,
    })
    must(done.status === 200, `sign-in of ${login} answered ${done.status} ${done.body}`)
    devices.set(login, done.cookies.get('platform-device') ?? '')
    return 1
  }
}

/**
 * Begins a sign-in, requests a code and enters one, for another person each time: three requests that do all their
 * work.
 */
export function codeRequests(origin: string) {
  let next = 0
  return async () => {
    const email = `bench.${process.pid}.${next++}@nobody.example`
    const headers = { 'x-forwarded-for': anyAddress() }
    const begun = await send(origin, { path: `${api}/auth/config/email?email=${email}`, headers })
    const flow = 'email_code'
    const asked = await send(origin, {
      method: 'POST',
      path: `${api}/auth/code/email`,
      headers,
      body: { flow, email },
      cookies: begun.cookies,
    })
    must(asked.status === 200, `a code request answered ${asked.status} ${asked.body}`)
    const entered = await send(origin, {
      method: 'POST',
      path: `${api}/auth/login/email`,
      headers,
      body: { flow, email, code: '0000' },
      cookies: begun.cookies,
    })
    must([200, 400].includes(entered.status), `a code entry answered ${entered.status}`)
    return 3
  }
}

/** GETs an address, signed out or with the cookies of somebody. */
export const pages =
  (origin: string, path: string, cookies?: Map<string, string>, headers?: Record<string, string>) => async () => {
    const { status } = await send(origin, { path, ...(cookies ? { cookies } : {}), ...(headers ? { headers } : {}) })
    must(status === 200, `${path} answered ${status}`)
    return 1
  }

/** Signs somebody in and returns the browser's cookies. */
export async function browserOf(origin: string, login: string): Promise<Map<string, string>> {
  const headers = { 'x-forwarded-for': anyAddress() }
  const begun = await send(origin, { path: `${api}/auth/config/login?login=${login}`, headers })
  const body = { flow: 'credentials', login, password: demoPassword }
  const path = `${api}/auth/login/login`
  const done = await send(origin, { method: 'POST', path, headers, body, cookies: begun.cookies })
  must(done.status === 200, `sign-in of ${login} answered ${done.status} ${done.body}`)
  return done.cookies
}

/** The id of the first row that a search of an administration list finds. Stops the benchmark if it finds none. */
export async function idOf(origin: string, administrator: Map<string, string>, list: string, search: string) {
  const { body } = await send(origin, { path: `${api}/setting/${list}${searched(search)}`, cookies: administrator })
  const [one] = JSON.parse(body)[list] as { id: string }[]
  must(one !== undefined, `there is no ${search} among the ${list}`)
  return one?.id ?? ''
}
