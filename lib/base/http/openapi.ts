import { z } from 'zod'
import type { Access, Contract } from '../contracts/contract'
import { answerRuleOf, type FileRule, fileRuleOf, formParts } from '../contracts/file'
import { exampleOf, introduction, tagOf } from './openapi-guide'
import { needsNoBody } from './read'

type Json = Record<string, unknown>

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...jsonSchemaOnly } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return jsonSchemaOnly
}

/** Returns the properties of a strict object as OpenAPI parameters. */
function parameters(
  schema: z.ZodType | undefined,
  location: 'path' | 'query',
  examples: Record<string, unknown> = {},
): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(property.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema: property,
    ...(examples[name] === undefined ? {} : { example: examples[name] }),
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

const header = (description: string, type: string) => ({ description, schema: { type } })
/** The headers of some failures. */
const headersByStatus: Record<number, Json> = {
  405: { Allow: header('The methods of this address', 'string') },
  429: { 'Retry-After': header('Seconds until trying again makes sense', 'integer') },
  503: { 'Retry-After': header('Seconds until trying again makes sense', 'integer') },
}

const failure = (status: number, description: string): Json => ({
  description,
  ...(headersByStatus[status] ? { headers: headersByStatus[status] } : {}),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

/** Returns the codes of every failure that a call may answer, by status. */
export function failuresOf({
  method,
  acts,
  access,
  body,
  content,
  sensitive,
  errors = {},
}: Contract): Map<number, string[]> {
  const codesByStatus = new Map<number, string[]>()
  const add = (status: number, ...codes: string[]) =>
    codesByStatus.set(status, [...new Set([...(codesByStatus.get(status) ?? []), ...codes])])
  add(400, 'errorFields')
  // a request with a token authenticates as an application, even if the call is public
  add(401, ...(access === 'public' ? [] : ['unauthorized']), 'invalidToken')
  add(403, 'addressDenied', ...(access === 'public' ? [] : ['forbidden']))
  if (method !== 'GET' || acts) add(403, 'forbiddenOrigin')
  add(405, 'notAllowed')
  if (body) {
    add(413, 'tooLarge')
    add(415, 'unsupportedType')
  }
  if (content) add(429, 'tooManyRequests')
  if (method === 'POST' && !sensitive) {
    add(400, 'idempotencyKeyFormat', 'idempotencyKeyReused')
    add(409, 'idempotencyKeyRunning', 'idempotencyKeyDone')
  }
  for (const [code, status] of Object.entries(errors)) add(status, code)
  add(500, 'errorUnknown')
  add(503, 'unavailable')
  return codesByStatus
}

const typesOf = ({ types }: FileRule) => types.join(', ')

/** Returns the content of a request body in the form in which the contract sends it. */
function requestContent(body: z.ZodType, list: string | undefined, example: unknown): Json {
  const fileRule = fileRuleOf(body)
  if (fileRule) return Object.fromEntries(fileRule.types.map((type) => [type, { schema: jsonSchema(body, 'input') }]))
  const { files } = formParts(body)
  const wholeSchema = jsonSchema(body, 'input')
  const listSchema = list && (wholeSchema.properties as Json | undefined)?.[list]
  const schema = listSchema ? { oneOf: [wholeSchema, { ...(listSchema as Json), minItems: 1 }] } : wholeSchema
  if (files.size === 0) return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
  const encoding = Object.fromEntries([...files].map(([name, rule]) => [name, { contentType: typesOf(rule) }]))
  return { 'multipart/form-data': { schema, encoding } }
}

function successResponse(response: z.ZodType): Json {
  const schema = jsonSchema(response, 'output')
  const rule = answerRuleOf(response)
  if (!rule) return { description: 'Done', content: { 'application/json': { schema } } }
  return {
    description: 'The file; a connection that breaks before its end means that it is not whole',
    headers: { 'Content-Disposition': header('Its name, RFC 6266', 'string') },
    content: Object.fromEntries(rule.types.map((type) => [type, { schema }])),
  }
}

function operation(contract: Contract): Json {
  const { name, summary, tag, access, body, response, snackbar: snackbarKey } = contract
  const example = exampleOf(contract)
  return {
    operationId: name,
    summary,
    tags: [tag],
    description: accessText(access),
    security: securityOf(access),
    // the keys of the snackbars that tell people the result of a write
    ...(snackbarKey ? { 'x-notices': { success: snackbarKey, error: `${snackbarKey}Error` } } : {}),
    parameters: [
      ...parameters(contract.params, 'path', example?.params),
      ...parameters(contract.query, 'query', example?.query),
    ],
    ...(body
      ? {
          requestBody: {
            required: !needsNoBody(contract),
            content: requestContent(body, contract.list, example?.body),
          },
        }
      : {}),
    ...(example ? { 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: example.source }] } : {}),
    responses: {
      200: successResponse(response),
      ...Object.fromEntries(
        [...failuresOf(contract)].map(([status, codes]) => [
          status,
          failure(status, codes.map((code) => `\`${code}\``).join(', ')),
        ]),
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

const Saver = z.strictObject({ name: z.string(), you: z.boolean() }).nullable()

/** The body of every failed call (docs/rules/rest.md#failures). */
export const FailureBody = z.strictObject({
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
    conflict: z
      .strictObject({
        /** The version to send with the next save: for most objects a moment, for texts a digest. */
        updatedAt: z.string(),
        at: z.iso.datetime(),
        by: Saver,
        values: z.record(z.string(), z.unknown()),
        hidden: z.array(z.string()),
      })
      .optional(),
    deleted: z.strictObject({ at: z.iso.datetime(), by: Saver }).optional(),
    decided: z.strictObject({ at: z.iso.datetime(), by: Saver }).optional(),
    usedBy: z.record(z.string(), z.number().int()).optional(),
    error: z.string().optional(),
    providerError: z.strictObject({ status: z.string(), requiredRights: z.array(z.string()) }).optional(),
  }),
})

const text = (description: string) => ({ required: true, description, schema: { type: 'string' } })

/** Returns the OpenAPI description of what the platform sends to webhooks for a type of event. */
const webhook = ([type, schema]: [string, z.ZodType]) => [
  type,
  {
    post: {
      operationId: `webhook ${type}`,
      tags: ['webhooks'],
      summary: `Sent to webhooks that listen to \`${type}\``,
      // the receiver authenticates the message by its signature
      security: [],
      parameters: [
        { name: 'webhook-id', in: 'header', ...text('The same at each try of a message') },
        { name: 'webhook-timestamp', in: 'header', ...text('When this try was made, in seconds') },
        {
          name: 'webhook-signature',
          in: 'header',
          ...text('By Standard Webhooks: `v1,` and the signature, or several'),
        },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(schema, 'output') } } },
      responses: {
        '2XX': { description: 'The message arrived' },
        410: { description: 'The receiver is gone: the webhook is disabled' },
        default: { description: 'The message is sent again later' },
      },
    },
  },
]

/** Returns the OpenAPI 3.1 document of these calls; `cookie` is the name of the session cookie. */
export function openApiDocument(
  contracts: readonly Contract[],
  {
    version,
    cookie,
    demo = false,
    webhooks = new Map(),
  }: { version: string; cookie: string; demo?: boolean; webhooks?: ReadonlyMap<string, z.ZodType> },
): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts) {
    const path = `/api/v1/platform${contract.path}`
    paths[path] = { ...paths[path], [contract.method.toLowerCase()]: operation(contract) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Identity and access platform',
      version,
      description: introduction(demo),
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...contracts.map(({ tag }) => tag), ...(webhooks.size > 0 ? ['webhooks'] : [])])].map(tagOf),
    paths,
    ...(webhooks.size > 0 ? { webhooks: Object.fromEntries([...webhooks].map(webhook)) } : {}),
    components: {
      schemas: { Failure: jsonSchema(FailureBody, 'output') },
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
