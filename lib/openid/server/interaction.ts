import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeJwt } from 'jose'
import { errors } from 'oidc-provider'
import type { Ctx } from '@/lib/base/context/ctx'
import { dropOnward, keepOnward } from '@/lib/base/navigation/onward'
import { agreementsAddress, pathOfScreen } from '@/lib/base/navigation/screens'
import { requestSchemas } from '@/lib/sign-in/attempts/requested-schemas'
import { signedInAt } from '@/lib/sign-in/sessions/service'
import { projectInfo } from '@/lib/site/project-info/service'
import { platformSettings } from '@/lib/site/settings/service'
import { noteBegunInteraction } from '../begun-interactions/service'
import { usableClient } from '../clients/service'
import { orUnavailable } from '../token-store/unavailable'
import { type AcrParams, isMet, isOffered, requestedAcr } from './acr'
import { consent } from './consent'
import { namesOf, personOf } from './pages'
import { requestOf } from './request'
import { requestedLocale, words } from './requested-locale'
import { interactionPath, oidcProvider } from './service'
import { readStartSession } from './start-session'
import { answerWith } from './view'

type Params = {
  prompt?: unknown
  max_age?: unknown
  login_hint?: unknown
  ui_locales?: unknown
  client_id?: unknown
  id_token_hint?: unknown
} & AcrParams

/** The error code of OpenID Connect Unmet Authentication Requirements. */
const unmetError = 'unmet_authentication_requirements'

type SignedIn = {
  /** Whether the person signed in during this authorization request. */
  meanwhile: boolean
  /** Seconds between the sign-in and the beginning of the request. */
  age: number
}

/** Returns whether a sign-in is recent enough for a request: `prompt=login` and `max_age` may require a new one. */
export function isFreshEnough({ prompt, max_age: maxAge }: Params, { meanwhile, age }: SignedIn): boolean {
  if (meanwhile) return true
  return !words(prompt).includes('login') && (maxAge === undefined || age <= Number(maxAge))
}

/** Returns the person in the ID token hint, which oidc-provider has verified before the interaction began. */
const hintedPerson = ({ id_token_hint: hint }: Params) => (typeof hint === 'string' ? decodeJwt(hint).sub : undefined)

function signInAddress(uid: string, { login_hint: hint }: Params, ctx: Ctx): string {
  const query = new URLSearchParams({ path: `${interactionPath}${uid}` })
  if (typeof hint === 'string') query.set('login_hint', hint)
  if (ctx.user) query.set('anew', '1')
  return `/platform/login?${query}`
}

function sendTo(res: ServerResponse, location: string, cookies: string[]): void {
  res.writeHead(303, { location, 'cache-control': 'no-store', 'set-cookie': cookies })
  res.end()
}

/** Returns the support links of the domain, in the language of the person. */
async function helpersOf({ domain, locale }: Ctx) {
  const { options, locales } = await projectInfo(domain)
  const texts = options[locale] ?? options[locales[0]?.code ?? '']
  return (texts?.technicalLink ?? []).map(({ title, text, url }) => ({ title, text, url }))
}

/** Returns where access to an application can be requested; null while nobody can ask. */
async function requestAddress(code: string): Promise<string | null> {
  const page = pathOfScreen('UserProfileAccessRequests')
  const { accessRequests } = await platformSettings()
  return page && accessRequests ? `${page}?${new URLSearchParams({ application: code, create: '1' })}` : null
}

/** What the person answers in an interaction: `back` cancels it, the others answer a question. */
export type InteractionAction = 'back' | 'allow' | 'refuse' | 'same' | 'other'

/**
 * Continues an authorization request that needs the person: redirects to the sign-in pages, and back to the application
 * afterwards; asks for consent and stores the answer. Throws SessionNotFound when the request has ended or belongs to
 * another browser.
 */
export async function interact(
  req: IncomingMessage,
  res: ServerResponse,
  uid: string,
  action: InteractionAction | null,
): Promise<void> {
  const { provider } = await oidcProvider()
  const request = requestOf(req)
  const [details, ctx] = await Promise.all([provider.interactionDetails(req, res), request.ctx()])
  if (details.uid !== uid) throw new errors.SessionNotFound('another request')
  const params: Params = details.params
  const lastSubmission = details.lastSubmission
  const path = `${interactionPath}${uid}`
  const finish = (result: Parameters<typeof provider.interactionFinished>[2]) => {
    dropOnward(ctx, path)
    for (const line of request.cookieHeaders()) res.appendHeader('set-cookie', line)
    return provider.interactionFinished(req, res, result)
  }

  if (details.prompt.name === 'access') {
    const client = await usableClient(String(params.client_id))
    if (action === 'back' || !client) return finish({ error: 'access_denied' })
    return answerWith(req, 403, {
      kind: 'noAccess',
      application: namesOf(client.application),
      request: await requestAddress(client.application.code),
      helpers: await helpersOf(ctx),
      back: `${path}/back`,
    })
  }
  if (details.prompt.name === 'consent') {
    const decision = action === 'allow' ? 'allow' : action && 'refuse'
    const answer = await consent(ctx, details, { decision, action: `${path}/consent` })
    return 'view' in answer ? answerWith(req, 200, answer.view) : finish(answer.result)
  }
  // which account continues: the current one, or one that signs in during this request
  const isChoosing = details.prompt.name === 'select_account'
  const selection = isChoosing ? { select_account: {} } : {}
  const startSessionId = await readStartSession(uid)
  const isUndecided = isChoosing && ctx.session !== null && ctx.session.id === startSessionId
  if (isUndecided && ctx.user && action !== 'other') {
    if (action === 'same') return finish(selection)
    const client = await usableClient(String(params.client_id))
    if (!client) return finish({ error: 'access_denied' })
    const name = personOf(ctx)
    const person = name === ctx.user.login ? name : `${name} (${ctx.user.login})`
    const application = namesOf(client.application)
    return answerWith(req, 200, { kind: 'account', application, person, action: `${path}/account` })
  }
  // signed in, but not as the person that the request names
  if (lastSubmission?.login && !ctx.terms?.length) return finish({ error: 'login_required' })

  const requested = requestedAcr(params)
  const signInTime = ctx.session ? await signedInAt(ctx.session.id) : null
  if (ctx.session && ctx.user && signInTime && !isUndecided) {
    const ts = Math.floor(signInTime.getTime() / 1000)
    const meanwhile = ctx.session.id !== startSessionId
    const hintedUserId = hintedPerson(params)
    const isOtherPerson = hintedUserId !== undefined && hintedUserId !== ctx.user.id
    if (isOtherPerson && meanwhile) return finish({ error: 'login_required' })
    const isAcrMet = await isMet(ctx.session, requested)
    if (!isOtherPerson && isAcrMet && isFreshEnough(params, { meanwhile, age: details.iat - ts })) {
      if (ctx.terms?.length) return sendTo(res, agreementsAddress(path), request.cookieHeaders())
      return finish({ login: { accountId: ctx.user.id, ts }, ...selection })
    }
    if (!isAcrMet && meanwhile) return finish({ error: unmetError })
  }
  if (requested.essential && !(await isOffered(requested))) return finish({ error: unmetError })
  if (requested.codes.length > 0) await orUnavailable(() => requestSchemas(`${interactionPath}${uid}`, requested.codes))

  const locale = requestedLocale(params, ctx.domain.locales)
  if (locale && locale !== ctx.locale) ctx.cookies.set('locale', locale, { httpOnly: false })
  // registration or a new password may come in between, by a link in a mail
  noteBegunInteraction(ctx, uid)
  keepOnward(ctx, path, Math.max(1, details.exp - Math.floor(ctx.now().getTime() / 1000)))
  sendTo(res, signInAddress(uid, params, ctx), request.cookieHeaders())
}
