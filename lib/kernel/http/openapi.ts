import { z } from 'zod'
import type { Access, Contract } from './contract'

type Json = Record<string, unknown>

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

/** A strict object's properties as OpenAPI parameters. */
function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(property.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: property,
  }))
}

const accessText = (access: Access): string => {
  if (access === 'public') return 'Open to anybody.'
  if (access === 'user') return 'Needs somebody signed in.'
  if ('areas' in access) return `Needs one of ${access.areas.map((area) => `\`${area}.read\``).join(', ')}.`
  return 'method' in access
    ? `Needs the method \`${access.method}\`.`
    : `GET needs the method \`${access.area}.read\`, everything else \`${access.area}.write\`.`
}

const securityOf = (access: Access): Json[] => {
  if (access === 'public') return []
  return access === 'user' ? [{ session: [] }] : [{ session: [] }, { serviceAccount: [] }]
}

const failure = (description: string): Json => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

function operation(contract: Contract): Json {
  const { name, summary, tag, access, body, response, errors = {} } = contract
  const byStatus = new Map<number, string[]>([[400, ['errorFields']]])
  if (access !== 'public') byStatus.set(401, access === 'user' ? ['unauthorized'] : ['unauthorized', 'invalidToken'])
  if (access !== 'public' && access !== 'user') byStatus.set(403, ['forbidden'])
  for (const [code, status] of Object.entries(errors)) byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  return {
    operationId: name,
    summary,
    tags: [tag],
    description: accessText(access),
    security: securityOf(access),
    parameters: [...parameters(contract.params, 'path'), ...parameters(contract.query, 'query')],
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } }
      : {}),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: jsonSchema(response, 'output') } } },
      ...Object.fromEntries(
        [...byStatus].map(([status, codes]) => [status, failure(codes.map((code) => `\`${code}\``).join(', '))]),
      ),
    },
  }
}

const FieldErrors = z.array(
  z.strictObject({
    field: z.string(),
    code: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  }),
)

const Failure = z.strictObject({
  code: z.string(),
  message: z.string(),
  requestId: z.string(),
  data: z.strictObject({
    errorList: FieldErrors.optional(),
    termsRequired: z
      .array(
        z.strictObject({
          id: z.string(),
          version: z.number().int(),
          title: z.string(),
          linkTitle: z.string(),
          link: z.string(),
        }),
      )
      .optional(),
    uniqueErrors: FieldErrors.optional(),
    expired: z.boolean().optional(),
    error: z.string().optional(),
    providerError: z.strictObject({ status: z.string(), requiredRights: z.array(z.string()) }).optional(),
  }),
})

/** The OpenAPI 3.1 document of these calls; `cookie` is the session cookie's name. */
export function openApiDocument(
  contracts: readonly Contract[],
  { version, cookie }: { version: string; cookie: string },
): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    const path = `/api/v1/platform${contract.path}`
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(contract) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Identity and access platform', version },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Failure: jsonSchema(Failure, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: cookie },
        serviceAccount: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token of `client_credentials`, from an address that the application allows. Calls need the methods that ' +
            'the application’s service account holds.',
        },
      },
    },
  }
}
