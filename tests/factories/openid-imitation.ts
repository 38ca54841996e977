import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type Claims = Record<string, unknown> & { sub: string }
type Code = { claims: Claims; nonce: string | null; challenge: string; redirectUri: string; clientId: string }
type Signing = { key: CryptoKey; kid: string }

const signingKey = async (): Promise<Signing & { publicKey: CryptoKey }> => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  return { key: privateKey, publicKey, kid: randomUUID() }
}

/** An imitation of an OpenID provider on this machine. It can be told to lie, to fail and to be slow. */
export class OpenidProvider {
  clientId = 'portal'
  secret = 'provider-secret'
  /** Claims of the ID token before it is signed, or another token in its place. */
  idToken: (claims: JWTPayload) => JWTPayload | string | Promise<JWTPayload | string> = (claims) => claims
  /** More metadata. */
  metadata: Record<string, unknown> = {}
  /** Takes a code again and again, as no provider may. */
  forgetful = false
  /** What userinfo tells besides the claims of the ID token. */
  userinfo: Record<string, unknown> = {}
  /** How it tells that: as JSON, or as a token that it has signed, that nobody has, or that somebody else has. */
  userinfoType: 'json' | 'jwt' | 'unsigned' | 'foreign' = 'json'
  /** Answers in place of the imitation. */
  broken: (path: string) => number | 'hang up' | 'flood' | undefined = () => undefined
  /** What its token endpoint says in place of tokens. */
  refuses: { error: string; error_description: string } | undefined
  asked: string[] = []
  /** Who signs in on its page. */
  person: Claims = { sub: randomUUID() }
  private codes = new Map<string, Code>()
  private tokens = new Map<string, Claims>()
  private server = createServer((request, response) => void this.answer(request, response))
  private signing: Awaited<ReturnType<typeof signingKey>> | undefined

  async start() {
    this.signing = await signingKey()
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    // it ends with the process
    this.server.unref()
    return this
  }
  /** Where it is, and the path of its issuer there. */
  path = ''
  get root() {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }
  get issuer() {
    return `${this.root}${this.path}`
  }
  /** Stops answering at all. */
  stop = () => new Promise((done) => this.server.close(done))

  async sign(claims: JWTPayload, { key, kid, ...header }: Partial<Signing> & { typ?: string; alg?: string } = {}) {
    const signing = this.signing
    if (!signing) throw new Error('not started')
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: kid ?? signing.kid, ...header })
      .sign(key ?? signing.key)
  }

  private async userinfoToken(userClaims: JWTPayload) {
    const payload = { iss: this.issuer, aud: this.clientId, ...userClaims }
    if (this.userinfoType === 'jwt') return this.sign(payload)
    if (this.userinfoType === 'foreign') return this.sign(payload, { key: (await signingKey()).key })
    const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url')
    return `${part({ alg: 'none' })}.${part(payload)}.`
  }

  /** What the person does there: signs in as somebody. Returns the address to which the provider sends the browser back. */
  agree(asking: string | URL, claims: Claims): URL {
    const { searchParams: asked } = new URL(asking)
    const redirectUri = asked.get('redirect_uri') ?? ''
    const code = randomUUID()
    this.codes.set(code, {
      claims,
      redirectUri,
      nonce: asked.get('nonce'),
      challenge: asked.get('code_challenge') ?? '',
      clientId: asked.get('client_id') ?? '',
    })
    return this.back(asking, { code })
  }
  /** The address back with an answer of its own. */
  back(asking: string | URL, answer: Record<string, string>): URL {
    const { searchParams: asked } = new URL(asking)
    const callback = new URL(asked.get('redirect_uri') ?? '')
    callback.search = new URLSearchParams({ state: asked.get('state') ?? '', iss: this.issuer, ...answer }).toString()
    return callback
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(request.url ?? '', this.root)
    const path = pathname.startsWith(this.path) ? pathname.slice(this.path.length) : 'elsewhere'
    this.asked.push(path)
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const instead = this.broken(path)
    if (instead === 'hang up') return void request.destroy()
    if (instead === 'flood') return void send(200, { issuer: this.issuer, padding: 'x'.repeat(1024 * 1024) })
    if (instead !== undefined) return void send(instead, { error: 'server_error' })
    if (path === '/.well-known/openid-configuration')
      return void send(200, {
        issuer: this.issuer,
        authorization_endpoint: `${this.issuer}/authorize`,
        token_endpoint: `${this.issuer}/token`,
        userinfo_endpoint: `${this.issuer}/userinfo`,
        jwks_uri: `${this.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ...this.metadata,
      })
    if (path === '/authorize') {
      const asking = new URL(request.url ?? '', this.root)
      const callback = this.agree(asking, this.person)
      const links = [
        ['Agree', callback.href],
        ['Refuse', this.back(asking, { error: 'access_denied' }).href],
      ].map(([label, href = '']) => `<p><a href="${href.replaceAll('&', '&amp;')}">${label}</a></p>`)
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>Provider</title><h1>Provider</h1>${links.join('')}`)
    }
    if (path === '/jwks') {
      const { publicKey, kid } = this.signing ?? (await signingKey())
      return void send(200, { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }] })
    }
    if (path === '/userinfo') {
      const claims = this.tokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
      if (!claims) return void send(401, { error: 'invalid_token' })
      const userClaims = { ...claims, ...this.userinfo }
      if (this.userinfoType === 'json') return void send(200, userClaims)
      const token = await this.userinfoToken(userClaims)
      return void response.writeHead(200, { 'content-type': 'application/jwt' }).end(token)
    }
    if (path === '/token') return void (await this.exchange(request, send))
    send(404, {})
  }

  private async exchange(request: IncomingMessage, send: (status: number, body: unknown) => void) {
    let text = ''
    for await (const chunk of request) text += chunk
    if (this.refuses) return send(400, this.refuses)
    const body = new URLSearchParams(text)
    // both parts are encoded as of a form (RFC 6749, section 2.3.1)
    const pair = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
    const [clientId, secret] = pair.split(':').map((part) => new URLSearchParams(`part=${part}`).get('part'))
    if (clientId !== this.clientId || secret !== this.secret) return send(401, { error: 'invalid_client' })
    const grant = this.codes.get(body.get('code') ?? '')
    if (!this.forgetful) this.codes.delete(body.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (!grant || grant.challenge !== challenge || grant.redirectUri !== body.get('redirect_uri'))
      return send(400, { error: 'invalid_grant' })
    const now = Math.floor(Date.now() / 1000)
    const claims = await this.idToken({
      ...grant.claims,
      iss: this.issuer,
      aud: grant.clientId,
      iat: now,
      exp: now + 300,
      ...(grant.nonce ? { nonce: grant.nonce } : {}),
    })
    const token = randomUUID()
    this.tokens.set(token, grant.claims)
    send(200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: 60,
      id_token: typeof claims === 'string' ? claims : await this.sign(claims),
    })
  }
}

export const startOpenidProvider = () => new OpenidProvider().start()
