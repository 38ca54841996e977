import { z } from 'zod'
import type { Area, SystemicMethod } from '../access-methods'
import { manyLines, oneLine, tidiable, trimmed } from '../characters'
import { answerRuleOf, contentOf } from './file'

export type Access =
  | 'public'
  | 'user'
  /** A systemic method by code. */
  | { method: SystemicMethod }
  /** An administration area: GET needs `<area>.read`, everything else `<area>.write`. */
  | { area: Area }
  /** The same of any one of several areas: a lookup that the screens of all of them need. */
  | { areas: readonly Area[] }

type Shape = z.ZodType | undefined
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call of the REST surface: what the handler checks, the client sends and the OpenAPI document tells. */
export type Contract<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Response extends z.ZodType = z.ZodType,
> = {
  /** Also the operation's id. */
  name: string
  method: Method
  /** Below /api/v1/platform, such as /auth/config/{idAttribute}. */
  path: string
  summary: string
  tag: string
  access: Access
  params?: Params
  query?: Query
  body?: Body
  response: Response
  /** Codes beyond those every call can answer, with their status. */
  errors?: Record<string, number>
  /** Key of the snackbar that tells how a write went: `<notice>` and `<notice>Error`. Every write names one. */
  notice?: string
  /** Bodies over this many bytes answer 413; 64 KiB unless told, or what the files in it may take. */
  bodyLimit?: number
  /** How the body is sent where it isn't JSON: made of the body's schema by `contract`. */
  content?: 'form' | 'file' | undefined
  /** Whether the answer is a file: made of the response's schema by `contract`. */
  givesFile?: boolean
  /** Passwords, codes and secrets pass: no idempotency key, answers are no-store. */
  sensitive?: boolean
}

type Input<S> = S extends z.ZodType ? z.input<S> : undefined
type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Present<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] }

/** What a client sends. */
export type CallInput<C> =
  C extends Contract<infer P, infer Q, infer B> ? Present<{ params: Input<P>; query: Input<Q>; body: Input<B> }> : never
/** What the verb receives, parsed. */
export type VerbInput<C> =
  C extends Contract<infer P, infer Q, infer B>
    ? Present<{ params: Output<P>; query: Output<Q>; body: Output<B> }>
    : never
/** What the verb gives back. */
export type VerbOutput<C> = C extends Contract<Shape, Shape, Shape, infer R> ? z.input<R> : never
/** What a client gets. */
export type CallOutput<C> = C extends Contract<Shape, Shape, Shape, infer R> ? z.output<R> : never

/** Declares a call. The generics keep the types of its parts for handler and client. */
export const contract = <
  R extends z.ZodType,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  definition: Contract<P, Q, B, R>,
): Contract<P, Q, B, R> => {
  const content = contentOf(definition.body)
  const givesFile = answerRuleOf(definition.response) !== undefined
  if (givesFile && definition.method !== 'GET') throw new Error(`${definition.name}: only a GET gives a file`)
  return { ...definition, ...(content ? { content } : {}), ...(givesFile ? { givesFile } : {}) }
}

/** An answer without content worth reading. */
export const Done = z.strictObject({})

/** A person's one line of text: trimmed, at most `max` characters, none that breaks the line or that nobody sees. */
export const line = (max = 255) =>
  z.string({ error: 'errorEmpty' }).overwrite(trimmed).max(max, 'errorTooLong').regex(oneLine, 'errorChars')

/** The same where several lines are welcome: joiners and signs without width may stand in them. */
export const lines = (max: number) =>
  z.string({ error: 'errorEmpty' }).trim().max(max, 'errorTooLong').regex(manyLines, 'errorChars')

/** A part of a person's name as it was typed: what nobody sees is no fault there, `tidyName` takes it out. */
export const personName = (max = 255) =>
  z.string({ error: 'errorEmpty' }).trim().max(max, 'errorTooLong').regex(tidiable, 'errorChars')

export const requiredLine = (max = 255) => line(max).min(1, 'errorEmpty')
export const Id = z.guid({ error: 'errorFormat' })
