import { db, type Transaction } from '@/db/client'
import { changingRolesOf } from '@/lib/access/rights/last-administrator'
import { staysAsStrongWith } from '@/lib/access/rights/service'
import { accountsOfEmail, createAccount, isMobileTaken, mobileTaken } from '@/lib/accounts/users/create'
import { lockEnabledAccount } from '@/lib/accounts/users/own'
import { audit } from '@/lib/base/audit/audit'
import { invalidate } from '@/lib/base/cache/cache'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { hashPassword } from '@/lib/base/crypto/password'
import { takePoints } from '@/lib/base/limits/limits'
import { AppError, type FieldError, type TermsRequired } from '@/lib/base/runtime/errors'
import { emailOf, loginOf } from '@/lib/base/text/email'
import { mobileFrom } from '@/lib/base/text/mobile'
import { joinContractor } from '@/lib/companies/managers/service'
import { namesFrom } from '@/lib/fields/names'
import { checkFurther } from '@/lib/fields/profile-fields/further-fields'
import { nameFaults, type PersonForm, personForm } from '@/lib/fields/profile-fields/person-form'
import { isChosenLogin } from '@/lib/fields/values/schema'
import {
  pendingAgreements,
  requireAgreement,
  requireFaultless,
  storeAgreements,
} from '@/lib/sign-in/agreements/service'
import { redirectAfterSignIn } from '@/lib/sign-in/attempts/complete'
import { settleAccount } from '@/lib/sign-in/attempts/settle'
import { proveMobile } from '@/lib/sign-in/codes/mobile-code'
import { newPasswordFaults, rememberPassword } from '@/lib/sign-in/passwords/policy'
import { invalidateSessions, startSession } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { invitationEntity } from './entity'
import { lockGrantedRoles } from './given'
import { lockInviter, mailInviter } from './inviter'
import { deadInvitation, endOf, type OpenInvitation, openInvitation } from './link'
import {
  claimAccepted,
  type Invitation,
  type Invitee,
  invitationRows,
  storeProvenMobile,
  tryLockInvitation,
} from './queries'
import { requireNoAccount, signInRequired } from './service'

type Body = ServiceInput<typeof calls.acceptInvitation>['body']
type Answer = ServiceOutput<typeof calls.acceptInvitation>

/** The limit of calls with one link: for a person without an account each costs a password hash. */
const acceptLimit = (key: string) => ({ name: 'invitation-accept', key, tiers: [{ points: 100, duration: 3600 }] })

/**
 * Accepts an invitation. If its e-mail has no account, creates one with contractor, roles, agreements and session, all
 * or nothing. If it has one, that account must be signed in. Throws the state of a dead link, 401 invitationSignIn, 400
 * by field, 403 termsRequired, and 409 while another request accepts it.
 */
export async function acceptInvitation(
  ctx: Ctx,
  { body }: ServiceInput<typeof calls.acceptInvitation>,
): Promise<Answer> {
  const offer = await openInvitation(ctx, body.hash)
  await takePoints(acceptLimit(offer.invitation.id))
  return offer.invitee ? acceptAsMember(ctx, offer, offer.invitee, body) : acceptAsNewcomer(ctx, offer, body)
}

/**
 * Locks the invitation and returns it with the roles that it still gives: its contractor may have been merged into
 * another one. Throws its state if it isn't open or if a newer link has replaced this one.
 */
async function requireStillOpen(tx: Transaction, ctx: Ctx, { id, idHash, inviterId }: Invitation) {
  await lockInviter(tx, { inviterId })
  const row = await invitationRows.lock(tx, id)
  if (row?.idHash !== idHash) throw deadInvitation('canceled')
  const end = endOf(row, ctx.now())
  if (end) throw deadInvitation(end)
  const roles = await lockGrantedRoles(tx, row)
  if (roles.length === 0) throw deadInvitation('canceled')
  return { row, roles }
}

/**
 * Throws the state `canceled` if one of the roles would weaken the sign-in of an account that has more effective
 * methods than the inviter.
 */
async function requireProofsKept(
  tx: Transaction,
  ctx: Ctx,
  { inviterId: giverId }: Invitation,
  userId: string,
  roles: readonly { roleId: string }[],
) {
  const roleIds = roles.map(({ roleId }) => roleId)
  if (!giverId || !(await staysAsStrongWith(tx, { giverId, userId, now: ctx.now() }, roleIds)))
    throw deadInvitation('canceled')
}

/** Gives an account the contractor and the roles of an invitation, records the audit event, and mails the inviter. */
async function grantInvited(
  tx: Transaction,
  ctx: Ctx,
  invitation: Invitation,
  { userId, fio }: { userId: string; fio: string },
  roles: { organizationId: string; roleId: string }[],
) {
  const { id, contractorId } = invitation
  await joinContractor(tx, ctx, { userId, contractorId, roles, changerId: userId })
  await audit(tx, ctx, invitationEntity, id, { status: 'active' }, { status: 'success' }, { changerId: userId })
  await mailInviter(tx, ctx, invitation, 'invitationAccepted', fio)
}

/**
 * Accepts an invitation for the account of its e-mail, all or nothing. `byLink`: the call has the link, which proves
 * the e-mail. Throws the invitation's state if it isn't open, 401 if the account has been deleted or disabled, 403
 * termsRequired, and 409 lastAdministrator.
 */
export async function acceptForAccount(
  ctx: Ctx,
  invitation: Invitation,
  invitee: Invitee,
  { answers, byLink }: { answers: Body['termsAgree']; byLink: boolean },
) {
  const agreements = requireAgreement(await pendingAgreements(ctx, invitee.agreed), answers)
  const afterCommit = await changingRolesOf(invitee.id, async (tx) => {
    const { row, roles } = await requireStillOpen(tx, ctx, invitation)
    await lockEnabledAccount(tx, invitee.id)
    await requireProofsKept(tx, ctx, row, invitee.id, roles)
    await invitationRows.update(tx, invitation.id, { status: 'success', userId: invitee.id, finishedAt: ctx.now() })
    await invalidate(tx, 'open-invitations')
    await storeAgreements(tx, ctx, invitee.id, agreements)
    await grantInvited(tx, ctx, row, { userId: invitee.id, fio: invitee.fio }, roles)
    const proof = { proven: ctx.session?.proven, session: ctx.session?.id }
    const afterSettling = byLink ? await settleAccount(tx, ctx, invitee.id, proof) : async () => undefined
    const afterInvalidation = await invalidateSessions(tx, invitee.id, ctx.now())
    return () => afterSettling().then(afterInvalidation)
  })
  await afterCommit()
}

async function acceptAsMember(ctx: Ctx, { invitation }: OpenInvitation, invitee: Invitee, body: Body): Promise<Answer> {
  await acceptForAccount(ctx, invitation, invitee, { answers: body.termsAgree, byLink: true })
  const redirect = await redirectAfterSignIn(ctx, invitee.id, null)
  return { next: 'done', redirect, mobile_verify: invitee.mobileVerifiedAt !== null }
}

const namesOf = ({ fio, last_name: lastName, first_name: firstName, middle_name: middleName }: Body) => ({
  fio,
  lastName,
  firstName,
  middleName,
})
/** The names of the fields in this call. */
const fieldNames: Record<string, string> = {
  lastName: 'last_name',
  firstName: 'first_name',
  middleName: 'middle_name',
}

async function passwordFaults(ctx: Ctx, email: string, body: Body): Promise<FieldError[]> {
  const { password = '', repeatPassword = '', login = '' } = body
  const faults: FieldError[] = []
  const about = [email, login, ...Object.values(namesOf(body)).filter((name) => name !== undefined)]
  if (password === '') faults.push({ field: 'password', code: 'errorEmpty' })
  else faults.push(...(await newPasswordFaults(ctx, { password, repeatPassword, userId: null, about })))
  if (repeatPassword !== '') return faults
  const otherFaults = faults.filter(({ code }) => code !== 'errorMatch')
  return [...otherFaults, { field: 'repeatPassword', code: 'errorEmpty' }]
}

const isProven = ({ mobile, mobileVerifiedAt }: Invitation, typed: string) =>
  mobileVerifiedAt !== null && mobile === typed

/**
 * Returns the fault of the mobile, or null: it is empty, no number, or neither proven nor sent with the code that
 * proves it.
 */
function mobileFault(form: PersonForm, invitation: Invitation, { mobile: typed = '', code }: Body): string | null {
  if (!form.mobile) return typed ? 'errorUnknownField' : null
  if (!typed) return form.mobile.required ? 'errorEmpty' : null
  const mobile = mobileFrom(typed)
  if (!mobile) return 'errorMobile'
  return isProven(invitation, mobile) || code ? null : 'errorMobileUnverified'
}

/**
 * Checks the form and returns the agreements to store. Throws all faults of the form at once: 400 with the fields, 403
 * if only agreements are missing.
 */
async function checkForm(ctx: Ctx, invitation: Invitation, form: PersonForm, body: Body): Promise<TermsRequired[]> {
  const errorList = nameFaults(form, namesOf(body), ctx.locale).map(({ field, ...fault }) => ({
    field: fieldNames[field] ?? field,
    ...fault,
  }))
  const login = body.login && loginOf(body.login)
  if (body.email && emailOf(body.email) !== invitation.email)
    errorList.push({ field: 'email', code: 'errorInvitationEmail' })
  const asksLogin = form.further.some(({ code }) => code === 'login')
  if (!asksLogin && login && login !== invitation.email && !isChosenLogin(login))
    errorList.push({ field: 'login', code: 'errorLogin' })
  const context = { email: invitation.email, now: ctx.now(), known: ['login'] as const }
  errorList.push(...checkFurther(form.further, body, context).faults)
  const mobile = mobileFault(form, invitation, body)
  if (mobile) errorList.push({ field: 'mobile', code: mobile })
  errorList.push(...(await passwordFaults(ctx, invitation.email, body)))
  return requireFaultless(errorList, await pendingAgreements(ctx, []), body.termsAgree)
}

/** Returns the proven mobile, which a code in the body may prove now. Throws as verifyInvitationMobile does. */
async function provenMobile(ctx: Ctx, invitation: Invitation, { mobile: typed, code }: Body): Promise<string | null> {
  const mobile = typed ? mobileFrom(typed) : null
  if (!mobile || isProven(invitation, mobile)) return mobile
  await proveMobile(ctx, { purpose: 'invitation', owner: invitation.id, mobile }, code ?? '')
  if (await isMobileTaken(mobile)) throw mobileTaken()
  await storeProvenMobile(invitation.id, mobile, ctx.now())
  return mobile
}

async function acceptAsNewcomer(ctx: Ctx, { invitation }: OpenInvitation, body: Body): Promise<Answer> {
  await requireNoAccount(ctx, body.hash, invitation.email)
  const form = await personForm(ctx)
  const agreements = await checkForm(ctx, invitation, form, body)
  const mobile = await provenMobile(ctx, invitation, body)
  const names = namesFrom(namesOf(body), ctx.locale)
  const passwordHash = await hashPassword(body.password ?? '')
  const { email } = invitation
  const { userId, session } = await db().transaction(async (tx) => {
    // create the account before locking the invitation: a registration with the same e-mail locks in this order
    if (!(await tryLockInvitation(tx, invitation.id))) throw new AppError(409)
    if ((await accountsOfEmail(email, tx)).length > 0) {
      await requireStillOpen(tx, ctx, invitation)
      throw signInRequired()
    }
    const account = {
      email,
      login: body.login && loginOf(body.login),
      mobile,
      names,
      passwordHash,
      locale: body.locale ?? ctx.locale,
      further: checkFurther(form.further, body, { email, now: ctx.now() }).further,
    }
    const { userId } = await createAccount(tx, ctx, account)
    const { row, roles } = await requireStillOpen(tx, ctx, invitation)
    await rememberPassword(tx, userId, passwordHash, ctx.now())
    await storeAgreements(tx, ctx, userId, agreements)
    await grantInvited(tx, ctx, row, { userId, fio: names.fio }, roles)
    const session = await startSession(tx, ctx, userId, claimAccepted(invitation.id, userId, ctx.now()))
    if (!session) throw new AppError(409)
    return { userId, session }
  })
  await session.afterCommit()
  return { next: 'done', redirect: await redirectAfterSignIn(ctx, userId, null), mobile_verify: mobile !== null }
}
