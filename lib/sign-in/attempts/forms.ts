import { CallError } from '@/lib/base/http/client'
import { cookieLifetime } from '@/lib/base/http/cookie-lifetime'
import { agreementsIn } from '@/lib/base/http/form-terms'
import { FailedAt, type PageForm, type PageForms, type PostedForm } from '@/lib/base/http/page-form'
import { AppError, fieldError } from '@/lib/base/runtime/errors'
import { PasskeySignature } from '../factors/passkey/credential'
import { asFaults, requireNone } from '../forms/faults'
import { offeredAttributes } from './attributes'
import { authCode, authConfig, authLogin, authPasskey, FlowId, IdAttribute, isCodeFlow } from './contract'
import { identifierKind } from './identifier-kind'

const page = '/platform/login'
/** Parameters of the address that count for the first step only. */
const ofFirstStep = ['ended', 'refused', 'login_hint', 'step']

type Step = 'id' | 'terms' | FlowId

/** Returns the address of a step of this sign-in. */
function stepAddress(search: URLSearchParams, step: Step): string {
  const next = new URLSearchParams(search)
  for (const name of ofFirstStep) next.delete(name)
  next.set('step', step)
  return `${page}?${next}`
}

/** Seconds for which the wish to remember the identifier is stored: as long as an attempt lives. */
const wishLifetime = 15 * 60

/** The person whom the form signs in. A page may be older than the attempt of its browser. */
type Subject = { idAttribute: IdAttribute; identifier: string }

function subjectOf({ fields }: PostedForm): Subject {
  const kind = IdAttribute.safeParse(fields.get('kind'))
  if (!kind.success) throw new AppError(400, 'attemptExpired', { expired: true })
  return { idAttribute: kind.data, identifier: fields.get('identifier') ?? '' }
}

/**
 * Sends the code of a flow, unless this browser has just got one, and returns the address of its step. The step says
 * that it is another code than the one of which the form knew (`before`).
 */
async function open(
  { call, fields, search }: PostedForm,
  { idAttribute, identifier }: Subject,
  flow: FlowId,
): ReturnType<PageForm['send']> {
  const to = stepAddress(search, flow)
  if (!isCodeFlow(flow)) return to
  try {
    const { endTime } = await call(authCode, { params: { idAttribute }, body: { flow, [idAttribute]: identifier } })
    const before = fields.get('before')
    return endTime && before !== null && endTime !== before ? { to, tells: { again: true } } : to
  } catch (error) {
    throw new FailedAt(to, error)
  }
}

type Answer = {
  next: string
  flows?: FlowId[] | undefined
  redirect?: string | undefined
  setPassword?: string | undefined
}

/** Goes where the answer to a proof says. */
async function follow(form: PostedForm, subject: Subject, answer: Answer) {
  const { ctx, search } = form
  const [flow] = answer.flows ?? []
  if (answer.next !== 'done' && answer.next !== 'set_password')
    return flow ? await open(form, subject, flow) : stepAddress(search, 'id')
  if (ctx.cookies.get('rememberWish') === subject.identifier)
    ctx.cookies.set('account', subject.identifier, { maxAge: cookieLifetime, httpOnly: false, path: page })
  ctx.cookies.set('rememberWish', null)
  return answer.redirect ?? (answer.setPassword ? `${page}/password/${answer.setPassword}` : undefined)
}

/** Sends a proof and goes where the answer says. */
async function prove(
  form: PostedForm,
  proof: {
    flow: FlowId
    password?: string
    code?: string
    recoveryCode?: string
    passkey?: PasskeySignature
    termsAgree?: ReturnType<typeof agreementsIn>['termsAgree']
  },
) {
  const { call, search } = form
  const subject = subjectOf(form)
  const { idAttribute, identifier } = subject
  const path = search.get('path')
  try {
    const answer = await call(authLogin, {
      params: { idAttribute },
      body: { [idAttribute]: identifier, ...(path && { path }), ...proof },
    })
    return await follow(form, subject, answer)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (error.code === 'termsRequired' && !proof.termsAgree) return stepAddress(search, 'terms')
    if (error.data.expired && error.code !== 'errorCodeExpired') throw new FailedAt(stepAddress(search, 'id'), error)
    throw error
  }
}

/** Takes the identifier, and opens the first step of the flow that is best for it. */
const identify: PageForm = {
  keeps: ['username', 'remember'],
  async send(form) {
    const { ctx, fields, search, call } = form
    const identifier = (fields.get('username') ?? '').trim()
    if (!identifier) throw fieldError('username', 'errorEmpty')
    const [kind, ...kinds] = await offeredAttributes(ctx)
    if (!kind) return undefined
    const idAttribute = identifierKind(identifier, [kind, ...kinds])
    const path = search.get('path')
    // the person continues here, even if an identity provider claims the domain of their e-mail
    const here = search.has('refused')
    const answer = await call(authConfig, {
      params: { idAttribute },
      query: { [idAttribute]: identifier, ...(path && { path }), ...(here && { here: '1' }) },
    })
    if (answer.leads) return answer.leads
    // stored until the person has signed in
    if (!fields.has('remembered'))
      ctx.cookies.set('rememberWish', fields.has('remember') ? identifier : null, { maxAge: wishLifetime })
    const [flow] = answer.flows
    return flow ? open(form, { idAttribute, identifier }, flow) : undefined
  },
}

/** Removes the account that this device remembers. */
const forget: PageForm = {
  keeps: [],
  async send({ ctx }) {
    ctx.cookies.set('account', null, { httpOnly: false, path: page })
    return undefined
  },
}

const password: PageForm = {
  keeps: ['identifier'],
  async send(form) {
    const typed = form.fields.get('password')
    if (!typed) throw fieldError('password', 'errorEmpty')
    return prove(form, { flow: 'credentials', password: typed })
  },
}

const flowOf = ({ fields }: PostedForm) => {
  const flow = FlowId.safeParse(fields.get('flow'))
  if (!flow.success) throw fieldError('flow', 'errorFlow')
  return flow.data
}

const code: PageForm = {
  keeps: ['identifier'],
  async send(form) {
    const digits = (form.fields.get('code') ?? '').replace(/\D/g, '')
    if (!digits) throw fieldError('code', 'errorEmpty')
    return prove(form, { flow: flowOf(form), code: digits })
  },
}

/** Takes a recovery code in place of the code of the authenticator app. */
const recovery: PageForm = {
  keeps: ['identifier'],
  async send(form) {
    const recoveryCode = (form.fields.get('recoveryCode') ?? '').trim()
    if (!recoveryCode) throw fieldError('recoveryCode', 'errorEmpty')
    return prove(form, { flow: flowOf(form), recoveryCode })
  },
}

/** Returns the signature that the script of the page has put into the form. Throws 400 without one. */
function signatureOf({ fields }: PostedForm): PasskeySignature {
  const text = fields.get('passkey')
  if (!text) throw fieldError('passkey', 'errorEmpty')
  try {
    return PasskeySignature.parse(JSON.parse(text))
  } catch {
    throw fieldError('passkey', 'errorPasskey')
  }
}

/** Signs in by a passkey: as a step of an attempt, or before anything was typed. */
const passkey: PageForm = {
  keeps: ['identifier', 'username', 'passkeyId'],
  async send(form) {
    const { fields, search, call } = form
    const signature = signatureOf(form)
    if (fields.has('kind')) return prove(form, { flow: 'passkey', passkey: signature })
    const path = search.get('path')
    try {
      const answer = await call(authPasskey, { body: { passkey: signature, ...(path && { path }) } })
      return await follow(form, { idAttribute: 'login', identifier: answer.login ?? '' }, answer)
    } catch (error) {
      if (error instanceof CallError && error.code === 'termsRequired') return stepAddress(search, 'terms')
      throw error
    }
  },
}

/** Opens another flow, or sends its code again. */
const flow: PageForm = {
  keeps: ['identifier'],
  send: (form) => open(form, subjectOf(form), flowOf(form)),
}

const terms: PageForm = {
  keeps: ['identifier', 'agreed'],
  async send(form) {
    const { termsAgree, faults } = agreementsIn(form.fields)
    requireNone(faults)
    return prove(form, { flow: flowOf(form), termsAgree }).catch((error) => {
      throw asFaults(error)
    })
  },
}

/** The forms of the sign-in page. */
export const signInForms: PageForms = {
  path: page,
  forms: { identify, forget, password, code, recovery, passkey, flow, terms },
}
