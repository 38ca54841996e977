import { errorWords } from '@/lib/base/i18n/error-words'
import { inSentence } from '@/lib/base/i18n/in-sentence'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { peopleFields } from '@/lib/fields/values/service'
import { ownReasons, type SignInCause } from '../log/causes'

/** The messages of libraries and of the network about a failed call, and the key of our text for each. */
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

/** The errors of OAuth by which an identity provider refuses something (RFC 6749, sections 4.1.2.1 and 5.2). */
const ofOauth = [
  ['client', /^(?:invalid_client|unauthorized_client)\b/],
  ['expired', /^invalid_grant\b/],
  ['scopes', /^invalid_scope\b/],
] as const

/**
 * Returns whether the person at the browser may have written the reason: the answer of an identity provider passes
 * through the browser.
 */
const isForeign = (reason: string, cause: SignInCause | null) =>
  cause === 'providerRefused' ||
  cause === 'providerCanceled' ||
  /^(?:server_error|temporarily_unavailable)\b/.test(reason)

/** Matches fields with the fault of each: `birthDate errorBirthDate, login errorUnique`. */
const ofFields = /^(?:values\.)?\w+ (?:error|sync)\w+(?:, (?:values\.)?\w+ (?:error|sync)\w+)*$/

/**
 * Returns a function that puts reasons of the log into words for an administrator: the fault of each field; or the
 * meaning of a failed call, with the original message. A reason in the words of an identity provider stays as it is.
 */
export async function reasonWords(locale: string): Promise<(reason: string, cause: SignInCause | null) => string> {
  const [t, text, fields] = await Promise.all([
    textsIn(locale),
    errorWords(locale, 'provider-sync', 'users', 'administration', 'dynamic-fields'),
    peopleFields(),
  ])
  const titles = new Map(fields.map((field) => [field.code, localName(field, locale)]))
  // the usual texts of these codes advise a person who fills in a form; the log says what happened
  const happened = new Map([
    ['errorUnique', t('sign-ins.happened.errorUnique')],
    ['errorEmailOfDirectory', t('sign-ins.happened.errorEmailOfDirectory')],
  ])
  const wordsOf = (code: string) => happened.get(code) ?? inSentence(text(code, {}), locale)
  return (reason, cause) => {
    const foreign = isForeign(reason, cause)
    const category = [...ofOauth, ...(foreign ? [] : technical)].find(([, pattern]) => pattern.test(reason))
    if (foreign && !category) return reason
    const ownReason = ownReasons.find((item) => item === reason)
    if (ownReason) return t(`sign-ins.reasons.${ownReason}`)
    if (ofFields.test(reason))
      return reason
        .split(', ')
        .map((item) => {
          const [field = '', code = ''] = item.replace(/^values\./, '').split(' ')
          return `${titles.get(field) ?? field}: ${wordsOf(code)}`
        })
        .join('; ')
    return category ? `${t(`sign-ins.technical.${category[0]}`)} (${reason})` : reason
  }
}
