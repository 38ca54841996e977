import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A person as Keycloak describes them. */
type KeycloakPerson = {
  id: string
  username: string
  email?: string
  firstName?: string
  lastName?: string
  emailVerified?: boolean
  enabled?: boolean
  attributes?: Record<string, string[]>
  /** The names of their realm roles. */
  roles?: string[]
}

type Broken = (request: {
  path: string
  query: URLSearchParams
  asked: number
}) => 'hang up' | number | object | undefined

/** An imitation of the Admin REST API of Keycloak, on this machine. It can be told to fail. */
class Keycloak {
  people: KeycloakPerson[] = []
  secret = 'directory-secret'
  /** The client may read people. */
  rights = true
  /** Seconds for which its tokens live. */
  expiresIn = 60
  /** Answers in place of the imitation: a status, a body, or nothing at all. */
  broken: Broken = () => undefined
  /** Every call, with its path. */
  asked: string[] = []
  private tokens = new Set<string>()
  private server = createServer((request, response) => void this.answer(request, response))

  async start() {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    // it ends with the process
    this.server.unref()
    return this
  }
  get url() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  /** Makes tokens that were given invalid, as a restart does. */
  forgetTokens() {
    this.tokens.clear()
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', this.url)
    this.asked.push(path)
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const instead = this.broken({ path, query, asked: this.asked.length })
    if (instead === 'hang up') return void request.destroy()
    if (typeof instead === 'number') return void send(instead, { error: 'told to' })
    if (instead) return void send(200, instead)
    if (path === '/realms/staff/protocol/openid-connect/token') {
      const basic = `Basic ${Buffer.from(`portal:${encodeURIComponent(this.secret)}`).toString('base64')}`
      if (request.headers.authorization !== basic) return void send(401, { error: 'unauthorized_client' })
      const token = randomUUID()
      this.tokens.add(token)
      return void send(200, { access_token: token, expires_in: this.expiresIn, token_type: 'Bearer' })
    }
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!this.tokens.has(bearer)) return void send(401, { error: 'HTTP 401 Unauthorized' })
    if (!this.rights) return void send(403, { error: 'HTTP 403 Forbidden' })
    if (path === '/admin/realms/staff/users/count') return void send(200, this.people.length)
    if (path === '/admin/realms/staff/users') {
      const [first, most] = [Number(query.get('first')), Number(query.get('max'))]
      const page = this.people.slice(first, first + most).map(({ roles: _, ...person }) => person)
      return void send(200, page)
    }
    const alone = this.people.find((one) => path === `/admin/realms/staff/users/${one.id}`)
    if (alone) return void send(200, { ...alone, roles: undefined })
    const [, id] = /^\/admin\/realms\/staff\/users\/([^/]+)\/role-mappings\/realm\/composite$/.exec(path) ?? []
    const person = this.people.find((one) => one.id === id)
    if (person)
      return void send(
        200,
        (person.roles ?? []).map((name) => ({ id: name, name })),
      )
    send(404, { error: 'Realm not found.' })
  }
}

/** Starts an imitation. */
export const startKeycloak = (): Promise<Keycloak> => new Keycloak().start()

/** A person of the imitation, whom nobody else resembles. */
export function directoryPerson(more: Partial<KeycloakPerson> = {}): KeycloakPerson {
  const id = randomUUID()
  const username = `dir-${id.slice(0, 8)}`
  return {
    id,
    username,
    email: `${username}@polaris.example`,
    firstName: 'Вера',
    lastName: 'Орлова',
    enabled: true,
    ...more,
  }
}
