import { CallError } from '@/lib/base/http/client'
import type { Words } from '@/lib/base/i18n/words'
import { codeOfStatus } from '@/lib/base/runtime/error-codes'
import type { Decided } from '@/lib/base/runtime/errors'
import { defaultTimeZone, zoneLabel } from '@/lib/base/text/time-zone'
import { limitEnd } from './limit-end'

export type Text = { code: string; params?: Record<string, string | number | Date> }
/** Returns the name of the zone for a time. */
type ZoneOf = (moment: Date) => string

/** Returns a function that names the page's zone for a time; `moscow` is the word for Moscow's. */
export const zoneNaming =
  (timeZone: string | undefined, moscow: string): ZoneOf =>
  (moment) =>
    zoneLabel(timeZone ?? defaultTimeZone, moment, moscow)

/** Returns the text that says who has already done, and when, an action that is possible only once. */
export const decidedText = (code: string, { at, by }: Decided): Text =>
  by
    ? { code: `${code}By`, params: { name: by.name, you: by.you ? 'yes' : 'no', at: new Date(at) } }
    : { code: `${code}At`, params: { at: new Date(at) } }

/**
 * Returns the text that says why a call failed and what to do: that of its code, or that of its status if the code has
 * no text. The text of a limit names its end. An answer without a code is that of a proxy.
 */
export function failureText(
  { status, code, data, requestId, retryAfter }: CallError,
  has: (code: string) => boolean,
  zoneOf: ZoneOf,
  now = Date.now(),
): Text {
  if (status === 0) return { code: 'offline' }
  if (data.decided) return decidedText(code, data.decided)
  if (retryAfter) {
    const until = limitEnd(now + retryAfter * 1000)
    const params = { until, zone: zoneOf(until) }
    if (has(`${code}Until`)) return { code: `${code}Until`, params }
    if (/^tooMany(Requests|Attempts)$/.test(code))
      return retryAfter < 60
        ? { code: 'tooManyRequestsIn', params: { count: Math.ceil(retryAfter) } }
        : { code: 'tooManyRequestsUntil', params }
  }
  const textCode = has(code) && code !== 'techError' ? code : codeOfStatus(status)
  return textCode === 'errorUnknown' && requestId
    ? { code: 'errorServer', params: { id: requestId } }
    : { code: textCode }
}

/** Returns the text of an error that a call threw, or of its first fault, from the texts of errors. */
export function textOfFailure(t: Words, thrown: unknown, zoneOf: ZoneOf): string {
  const error = thrown instanceof CallError ? thrown : new CallError(0, 'techError', {}, undefined, undefined)
  const [fault] = error.errorList
  const { code, params } = fault && t.has(fault.code) ? fault : failureText(error, (key) => t.has(key), zoneOf)
  const until = params?.until
  return t(code, until ? { ...params, zone: zoneOf(new Date(until)) } : params)
}
