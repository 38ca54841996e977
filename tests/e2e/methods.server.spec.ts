import { METHODS, request } from 'node:http'
import { expect, test } from './turn'

type Answer = { status: number; headers: Record<string, unknown>; body: string }

/** Sends any method to any target; fetch would refuse or normalize some of them. */
const raw = (method: string, path: string) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(process.env.PUBLIC_URL ?? '')
    const asked = request({ hostname, port, path, method, agent: false }, (response) => {
      let body = ''
      response.on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    // Node handles CONNECT apart from all other methods
    asked.on('connect', (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: '' })
      response.socket.destroy()
    })
    asked.on('error', reject)
    asked.end()
  })

test('no method causes an internal error: each address accepts its own methods and lists them otherwise', async () => {
  const addresses = {
    '/api/v1/platform/auth/logout': ['POST'],
    '/api/v1/platform/users/settings': ['GET', 'HEAD', 'PATCH'],
    '/api/v1/openapi.json': ['GET', 'HEAD'],
    '/api/v1/platform/auth/providers/3f2b8c1e-5a4d-4c8e-9b7a-1d2e3f4a5b6c/start': ['GET'],
    '/api/v1/platform/auth/providers/3f2b8c1e-5a4d-4c8e-9b7a-1d2e3f4a5b6c/callback': ['GET'],
    '/api/v1/platform/auth/providers/3f2b8c1e-5a4d-4c8e-9b7a-1d2e3f4a5b6c/logout': ['POST'],
    '/platform/login': ['GET', 'HEAD', 'POST'],
    '/platform/forgot-password': ['GET', 'HEAD', 'POST'],
    '/platform/help': ['GET', 'HEAD'],
    '/style/default/style.css': ['GET', 'HEAD'],
    '/health/live': ['GET', 'HEAD'],
    '/oidc/token': ['POST', 'OPTIONS'],
    '/oidc/jwks': ['GET', 'HEAD', 'OPTIONS'],
  }
  for (const [path, ownMethods] of Object.entries(addresses))
    for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
      const { status, headers, body } = await raw(method, path)
      const request = `${method} ${path}`
      expect(status, request).toBeLessThan(500)
      if (ownMethods.includes(method)) {
        expect(status, request).not.toBe(405)
        continue
      }
      expect(status, request).toBe(405)
      expect(headers.allow, request).toBeTruthy()
      if (path.startsWith('/api/') && method !== 'HEAD')
        expect(JSON.parse(body), request).toEqual({
          code: 'notAllowed',
          message: 'notAllowed',
          requestId: headers['x-request-id'],
          data: {},
        })
    }
  expect(await raw('CONNECT', 'evil.example:443')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})

test('an unknown REST address answers like every failed call', async () => {
  for (const path of ['/api', '/api/v1', '/api/v1/platform/nothing', '/api/v1/platform/nothing/'])
    for (const method of ['GET', 'POST', 'TRACE', 'OPTIONS']) {
      const { status, headers, body } = await raw(method, path)
      expect([status, headers['content-type']], `${method} ${path}`).toEqual([404, 'application/json; charset=utf-8'])
      expect(JSON.parse(body)).toMatchObject({ code: 'notFound', requestId: headers['x-request-id'], data: {} })
    }
})

test('answers are readable for our own origin, styles and logos for all; pictures load only from listed hosts', async () => {
  const page = await raw('GET', '/platform/login')
  expect(page.headers['cross-origin-resource-policy']).toBe('same-origin')
  const sources = /img-src ([^;]*)/.exec(String(page.headers['content-security-policy']))?.[1]?.split(' ') ?? []
  expect(sources.slice(0, 3)).toEqual(["'self'", 'data:', 'blob:'])
  for (const source of sources.slice(3)) expect(source).toMatch(/^https:\/\/[\w.-]+(:\d+)?$/)
  for (const path of ['/api/v1/platform/ui/project/info', '/oidc/jwks', '/health/live', '/no/such/page'])
    expect((await raw('GET', path)).headers['cross-origin-resource-policy'], path).toBe('same-origin')
  for (const path of ['/style/default/style.css', '/style/default/images/logo.svg'])
    expect((await raw('GET', path)).headers['cross-origin-resource-policy'], path).toBe('cross-origin')
})
