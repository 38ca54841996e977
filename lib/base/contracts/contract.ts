import { z } from 'zod'
import type { Area, SystemicMethod } from '../access/access-methods'
import { manyLines, oneLine, tidiable, trimmed } from '../text/characters'
import { answerRuleOf, contentOf } from './file'

export type Access =
  | 'public'
  | 'user'
  /** A systemic method, by code. */
  | { method: SystemicMethod }
  /** An administration area: GET needs `<area>.read`, everything else `<area>.write`. */
  | { area: Area }
  /** The `<area>.read` or `<area>.write` of any of several areas: for a lookup that several areas use. */
  | { areas: readonly Area[] }

type Shape = z.ZodType | undefined
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The declaration of an endpoint: the handler checks calls against it, the client sends by it, and the OpenAPI document
 * is made from it.
 */
export type Contract<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Response extends z.ZodType = z.ZodType,
> = {
  /** Also the operationId in the OpenAPI document. */
  name: string
  method: HttpMethod
  /** Below /api/v1/platform, such as /auth/config/{idAttribute}. */
  path: string
  summary: string
  tag: string
  access: Access
  params?: Params
  query?: Query
  body?: Body
  /** The field of the body whose list may be sent in place of the body. */
  list?: string
  response: Response
  /** Codes and statuses in addition to those of every call. */
  errors?: Record<string, number>
  /**
   * The key of the snackbar: `<key>` for success, `<key>Error` for failure. Every write has one, and a read that people
   * start by hand.
   */
  snackbar?: string
  /** Larger bodies answer 413. By default 64 KiB, or the limit of the files in the body. */
  bodyLimit?: number
  /** The form of the body if it isn't JSON; `contract` derives it from the schema of the body. */
  content?: 'form' | 'file' | undefined
  /** Whether the answer is a file; `contract` derives it from the schema of the response. */
  returnsFile?: boolean
  /** A GET that changes something: like a write it needs our own origin. */
  acts?: true
  /**
   * Whether people may make the call before they accept an agreement that their other calls require
   * (docs/rules/agreements.md#people-who-are-signed-in).
   */
  beforeTerms?: true
  /** The call transports passwords, codes or secrets: it takes no idempotency key. */
  sensitive?: boolean
}

type Input<S> = S extends z.ZodType ? z.input<S> : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** The input as a client sends it. */
export type CallInput<C> =
  C extends Contract<infer P, infer Q, infer B> ? Present<{ params: Input<P>; query: Input<Q>; body: Input<B> }> : never
/** The parsed input of the service function. */
export type ServiceInput<C> =
  C extends Contract<infer P, infer Q, infer B>
    ? Present<{ params: Output<P>; query: Output<Q>; body: Output<B> }>
    : never
/** The result of the service function. */
export type ServiceOutput<C> = C extends Contract<Shape, Shape, Shape, infer R> ? z.input<R> : never
/** The answer as a client receives it. */
export type CallOutput<C> = C extends Contract<Shape, Shape, Shape, infer R> ? z.output<R> : never

/**
 * Declares a contract. The generics preserve the types of its parts for handler and client. Throws if a call other than
 * a GET answers with a file.
 */
export const contract = <
  R extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  definition: Contract<P, Q, B, R>,
): Contract<P, Q, B, R> => {
  const content = contentOf(definition.body)
  const returnsFile = answerRuleOf(definition.response) !== undefined
  if (returnsFile && definition.method !== 'GET') throw new Error(`${definition.name}: only a GET gives a file`)
  return { ...definition, ...(content ? { content } : {}), ...(returnsFile ? { returnsFile: returnsFile } : {}) }
}

/** An answer without content. */
export const Done = z.strictObject({})

/** One line of text: trimmed, at most `max` characters, without line breaks and invisible characters. */
export const line = (max = 255) =>
  z.string({ error: 'errorEmpty' }).overwrite(trimmed).max(max, 'errorTooLong').regex(oneLine, 'errorChars')

/** Several lines of text; joiners and zero-width characters are allowed. */
export const lines = (max: number) =>
  z.string({ error: 'errorEmpty' }).trim().max(max, 'errorTooLong').regex(manyLines, 'errorChars')

/** The schema of a part of a person's name. Invisible characters are accepted, and `tidyName` removes them. */
export const personName = (max = 255) =>
  z.string({ error: 'errorEmpty' }).trim().max(max, 'errorTooLong').regex(tidiable, 'errorChars')

export const requiredLine = (max = 255) => line(max).min(1, 'errorEmpty')
/**
 * An id. The result is in lower case, so that an id in capitals equals the stored one where ids are compared or locked.
 */
export const Id = z.guid({ error: ({ input }) => (input === '' ? 'errorEmpty' : 'errorFormat') }).toLowerCase()

/** A code as people type it: lower-case Latin letters, digits, and hyphens between them. */
export const LatinCode = requiredLine(64).regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'errorLatin')
