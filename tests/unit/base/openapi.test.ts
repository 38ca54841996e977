import { expect, test } from 'vitest'
import { z } from 'zod'
import { demoPassword } from '@/db/seed/demo/accounts'
import { webhookMessages, webhookTypes } from '@/lib/applications/webhooks/types'
import { contract, Done } from '@/lib/base/contracts/contract'
import { file, fileAnswer } from '@/lib/base/contracts/file'
import { openApiDocument } from '@/lib/base/http/openapi'
import { exampleCalls, exampleOf } from '@/lib/base/http/openapi-guide'
import { contracts } from '@/lib/wiring/contracts'

const document = openApiDocument(contracts, { version: '1.2.3', cookie: 'session' }) as {
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; parameters: { name: string; in: string }[]; requestBody?: unknown; security: object[] }
    >
  >
  components: { securitySchemes: Record<string, object> }
}

test('lists every call once, with its parameters and its body', () => {
  expect(document.openapi).toBe('3.1.0')
  const operationIds = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(operationIds.sort()).toEqual(contracts.map(({ name }) => name).sort())
  for (const { name, method, path, body } of contracts) {
    const operation = document.paths[`/api/v1/platform${path}`]?.[method.toLowerCase()]
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
    expect(
      operation?.parameters.filter((each) => each.in === 'path').map((each) => each.name),
      name,
    ).toEqual(inPath)
    expect(operation?.requestBody !== undefined, name).toBe(body !== undefined)
  }
})

test('tells of each order that its list may be sent alone', () => {
  const alone = contracts.flatMap(({ name, method, path, list }) => {
    const { requestBody } = document.paths[`/api/v1/platform${path}`]?.[method.toLowerCase()] ?? {}
    const { content } = (requestBody ?? {}) as { content?: { 'application/json'?: { schema: { oneOf?: object[] } } } }
    return list ? [[name, content?.['application/json']?.schema.oneOf]] : []
  })
  const shapes = [{ type: 'object' }, { type: 'array', minItems: 1 }]
  expect(Object.fromEntries(alone)).toMatchObject({
    orderApplications: shapes,
    orderAuthenticationSchemas: shapes,
    orderFieldTabs: shapes,
    orderFields: shapes,
  })
})

test('contains only JSON, and every reference exists', () => {
  const text = JSON.stringify(document)
  expect(JSON.parse(text)).toEqual(document)
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Failure']))
})

test('states who authenticates how: people by cookie, service accounts by bearer token', () => {
  const { securitySchemes } = document.components
  expect(securitySchemes.serviceAccount).toMatchObject({ type: 'http', scheme: 'bearer' })
  for (const { name, method, path, access } of contracts) {
    const { security = [] } = document.paths[`/api/v1/platform${path}`]?.[method.toLowerCase()] ?? {}
    const named = security.flatMap((one) => Object.keys(one))
    expect(named.every((scheme) => scheme in securitySchemes)).toBe(true)
    if (access === 'public') expect(named, name).toEqual([])
    else expect(named, name).toEqual(access === 'user' ? ['session'] : ['session', 'serviceAccount'])
  }
})

test('lists every failure by status and code, also those that all calls share', () => {
  type Answer = { description: string; headers?: Record<string, object> }
  for (const contract of contracts) {
    const { name, method, path, body, errors = {} } = contract
    const operation = document.paths[`/api/v1/platform${path}`]?.[method.toLowerCase()] as unknown as {
      responses: Record<string, Answer>
    }
    const descriptionOf = (status: number) => operation.responses[status]?.description ?? ''
    for (const [code, status] of Object.entries(errors)) expect(descriptionOf(status), name).toContain(`\`${code}\``)
    const shared = {
      400: 'errorFields',
      401: 'invalidToken',
      405: 'notAllowed',
      500: 'errorUnknown',
      503: 'unavailable',
    }
    for (const [status, code] of Object.entries(shared))
      expect(descriptionOf(Number(status)), name).toContain(`\`${code}\``)
    expect(Object.keys(operation.responses[405]?.headers ?? {}), name).toEqual(['Allow'])
    expect(descriptionOf(415) !== '' && descriptionOf(413) !== '', name).toBe(body !== undefined)
    if (method !== 'GET') expect(descriptionOf(403), name).toContain('`forbiddenOrigin`')
  }
})

test('has an introduction, names its tags, and gives examples of existing calls', () => {
  const { info, tags } = document as unknown as {
    info: { description: string }
    tags: { name: string; 'x-displayName': string }[]
  }
  const chapters = [...info.description.matchAll(/^# (.+)$/gm)].map(([, title]) => title)
  expect(chapters).toEqual(['Authentication', 'Errors', 'Paging', 'Idempotency', 'Versions', 'Rate limits'])
  expect(new Set(tags.map(({ name }) => name))).toEqual(new Set(contracts.map(({ tag }) => tag)))
  for (const { name, 'x-displayName': title } of tags)
    expect([name, title]).toEqual([name, expect.stringMatching(/^[A-Z]/)])

  const sampled = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => ('x-codeSamples' in operation ? [operation.operationId] : [])),
  )
  expect(sampled.sort()).toEqual(exampleCalls.toSorted())
  for (const name of exampleCalls) {
    const contract = contracts.find((each) => each.name === name)
    const example = contract && exampleOf(contract)
    if (contract?.body) expect(contract.body.safeParse(example?.body).error, name).toBeUndefined()
    const operation = document.paths[`/api/v1/platform${contract?.path}`]?.[contract?.method.toLowerCase() ?? '']
    const declared = operation?.parameters.map((each) => each.name)
    expect(declared, name).toEqual(expect.arrayContaining(Object.keys(example?.query ?? {})))
  }
})

test('names accounts of the demo only where there is a demo', () => {
  const about = (demo: boolean) => JSON.stringify(openApiDocument(contracts, { version: '1', cookie: 'session', demo }))
  const demoWords = ['npm run demo', demoPassword, 'one-service', 'warehouse-sync', 'localhost']
  for (const word of demoWords) expect(about(true)).toContain(word)
  for (const word of demoWords) expect(about(false)).not.toContain(word)
})

test('tells how files are sent and given', () => {
  const odd = { tag: 'files', summary: '', access: 'user' } as const
  const picture = file({ types: ['image/png', 'image/webp'], max: 1000 })
  const paths = openApiDocument(
    [
      contract({
        ...odd,
        name: 'form',
        method: 'POST',
        path: '/form',
        body: z.strictObject({ title: z.string(), picture: picture.optional() }),
        response: Done,
      }),
      contract({ ...odd, name: 'raw', method: 'PUT', path: '/raw', body: picture, response: Done }),
      contract({ ...odd, name: 'give', method: 'GET', path: '/give', response: fileAnswer({ types: ['text/csv'] }) }),
    ],
    { version: '1', cookie: 'session' },
  ).paths as Record<string, Record<string, { requestBody: { content: object }; responses: Record<string, object> }>>
  const at = (path: string, method: string) => paths[`/api/v1/platform${path}`]?.[method]
  const binary = expect.objectContaining({ type: 'string', format: 'binary' })
  expect(at('/form', 'post')?.requestBody.content).toEqual({
    'multipart/form-data': {
      schema: expect.objectContaining({
        required: ['title'],
        properties: { title: { type: 'string' }, picture: binary },
      }),
      encoding: { picture: { contentType: 'image/png, image/webp' } },
    },
  })
  expect(at('/raw', 'put')?.requestBody.content).toEqual({
    'image/png': { schema: binary },
    'image/webp': { schema: binary },
  })
  expect(Object.keys(at('/raw', 'put')?.responses ?? {})).toEqual(expect.arrayContaining(['413', '415', '429']))
  expect(at('/give', 'get')?.responses[200]).toMatchObject({ content: { 'text/csv': { schema: binary } } })
})

test('describes the message of each type that webhooks hear', () => {
  const { webhooks, tags } = openApiDocument(contracts, {
    version: '1',
    cookie: 'session',
    webhooks: webhookMessages,
  }) as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }>
    tags: { name: string }[]
  }
  expect(Object.keys(webhooks)).toEqual([...webhookTypes, 'webhook.test'])
  expect(tags.map(({ name }) => name)).toContain('webhooks')
  expect(webhooks['user.created']?.post.requestBody.content['application/json']?.schema.properties).toMatchObject({
    type: { const: 'user.created' },
    data: { properties: { entity: { const: 'users' }, changedFields: { type: 'array' } } },
  })
})
