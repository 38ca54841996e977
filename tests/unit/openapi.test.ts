import { expect, test } from 'vitest'
import { contracts } from '@/lib/context/contracts'
import { openApiDocument } from '@/lib/kernel/http/openapi'

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

test('tells every call once, with its parameters and its body', () => {
  expect(document.openapi).toBe('3.1.0')
  const told = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(told.sort()).toEqual(contracts.map(({ name }) => name).sort())
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

test('holds nothing that JSON can’t carry, and every reference leads somewhere', () => {
  const text = JSON.stringify(document)
  expect(JSON.parse(text)).toEqual(document)
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Failure']))
})

test('tells who proves themselves how: people by cookie, service accounts by bearer where calls take them', () => {
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
