import { errorWords } from '@/lib/base/i18n/error-words'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { peopleFields } from '@/lib/fields/values/service'
import { ownReasons, type SignInCause } from '../log/causes'

/** What libraries and the network say of a failed call, and which of our words it is. */
const technical = [
  ['clock', /OAUTH_JWT_TIMESTAMP_CHECK_FAILED/],
  ['outage', /HTTP response status code 5\d\d\b/],
  ['audience', /"aud"|COMPARISON_FAILED.* (?:aud|azp)$/],
  ['issuer', /"iss"|COMPARISON_FAILED.* iss$|issuer/i],
  ['nonce', /"nonce"|COMPARISON_FAILED.* nonce$/],
  ['keys', /OAUTH_KEY_SELECTION_FAILED/],
  ['signature', /signature/i],
  ['address', /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|AddressBlocked/],
  ['certificate', /CERT|SELF_SIGNED|ALTNAME/],
  ['slow', /TIMEOUT|TimeoutError|AbortError/i],
  [
    'broken',
    /OAUTH_(?:RESPONSE_IS_NOT|PARSE_ERROR|INVALID_RESPONSE|INVALID_SERVER_METADATA|MISSING_SERVER_METADATA|JWT_CLAIM_COMPARISON)/,
  ],
  ['hungUp', /ECONNRESET|UND_ERR|EPIPE|fetch failed|socket/i],
] as const

/** Errors of OAuth, by which a provider says what it refuses (RFC 6749, sections 4.1.2.1 and 5.2). */
const ofOauth = [
  ['client', /^(?:invalid_client|unauthorized_client)\b/],
  ['expired', /^invalid_grant\b/],
  ['scopes', /^invalid_scope\b/],
] as const

/** Whether whoever holds the browser may have written it: the answer of a provider comes through it. */
const isForeign = (reason: string, cause: SignInCause | null) =>
  cause === 'providerRefused' ||
  cause === 'providerCanceled' ||
  /^(?:server_error|temporarily_unavailable)\b/.test(reason)

/** Fields with what is wrong with each: `birthDate errorBirthDate, login errorUnique`. */
const ofFields = /^(?:values\.)?\w+ (?:error|sync)\w+(?:, (?:values\.)?\w+ (?:error|sync)\w+)*$/

/**
 * Returns the words of reasons of the log, for an administrator: what was wrong with which field, and what a failed call
 * means, with what was said of it. What a provider said in its own words is left as it is.
 */
export async function reasonWords(locale: string): Promise<(reason: string, cause: SignInCause | null) => string> {
  const [t, text, fields] = await Promise.all([
    textsIn(locale),
    errorWords(locale, 'provider-sync', 'users', 'administration', 'dynamic-fields'),
    peopleFields(),
  ])
  const titles = new Map(fields.map((field) => [field.code, localName(field, locale)]))
  // the texts of these advise who fills in a form: the log says what happened
  const happened = new Map([
    ['errorUnique', t('sign-ins.happened.errorUnique')],
    ['errorEmailOfDirectory', t('sign-ins.happened.errorEmailOfDirectory')],
  ])
  const wordsOf = (code: string) => happened.get(code) ?? inSentence(text(code, {}), locale)
  return (reason, cause) => {
    const foreign = isForeign(reason, cause)
    const named = [...ofOauth, ...(foreign ? [] : technical)].find(([, pattern]) => pattern.test(reason))
    if (foreign && !named) return reason
    const own = ownReasons.find((one) => one === reason)
    if (own) return t(`sign-ins.reasons.${own}`)
    if (ofFields.test(reason))
      return reason
        .split(', ')
        .map((one) => {
          const [field = '', code = ''] = one.replace(/^values\./, '').split(' ')
          return `${titles.get(field) ?? field}: ${wordsOf(code)}`
        })
        .join('; ')
    return named ? `${t(`sign-ins.technical.${named[0]}`)} (${reason})` : reason
  }
}
