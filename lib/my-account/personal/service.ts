import { initialsOf } from '@/lib/accounts/users/initials'
import { accountState } from '@/lib/accounts/users/service'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { notFound } from '@/lib/base/runtime/errors'
import { profileFields } from '@/lib/fields/profile-fields/service'
import { concerns } from '@/lib/fields/values/actions'
import { type Definition, isBase, isFilled, storedUnder } from '@/lib/fields/values/definition'
import { keptFields } from '@/lib/identity-providers/connections/kept-fields'
import { platformSettings } from '@/lib/site/settings/service'
import { ownTerms } from '../agreements/service'
import { contactDetails } from '../contact-details/service'
import { changeProfile } from './change'
import type * as calls from './contract'
import type { ProfileDetails, ProfileTab } from './contract'
import { ownFields, profileFieldView } from './fields'
import { selectGroups, selectLastChange, selectMethodsByRole, selectOwnAccount } from './queries'

async function stateOf(userId: string) {
  const { emptyFields, directory, hasPassword } = await accountState(userId)
  return {
    accessInfo: {
      requiredFieldsEmpty: emptyFields.length > 0,
      requiredFieldsEmptyCodes: emptyFields.map(({ code }) => code),
    },
    availableActions: { updatePassword: !directory && hasPassword, setPassword: !directory && !hasPassword },
  }
}

/** Returns who is signed in, the required fields they lack, and what they may do with their password. Throws 401. */
export async function getProfile(ctx: Ctx) {
  requireUser(ctx)
  const state = await stateOf(ctx.user.id)
  return { user: { firstName: ctx.user.firstName, initials: initialsOf(ctx.user), avatar: ctx.user.picture }, ...state }
}

async function ownAccount(userId: string) {
  const row = await selectOwnAccount(userId)
  if (!row) throw notFound()
  return row
}

/** Returns the fields of the own profile by tabs and blocks. Throws 401. */
export async function configureProfile(ctx: Ctx) {
  requireUser(ctx)
  const [{ account: row }, all, fields, { useUserFio }, keptOf] = await Promise.all([
    ownAccount(ctx.user.id),
    profileFields(),
    ownFields(),
    platformSettings(),
    keptFields(),
  ])
  const account = { ...row, kept: keptOf(row.providerId) }
  const tabs: ProfileTab[] = []
  for (const field of fields) {
    let tab = tabs.find(({ id }) => id === field.tab.id)
    if (!tab) {
      tab = { ...field.tab, subtypes: [] }
      tabs.push(tab)
    }
    let block = tab.subtypes.find(({ id }) => id === field.subtype.code)
    const { code: id, title, titleEn } = field.subtype
    if (!block) {
      block = { id, title, titleEn, fields: [] }
      tab.subtypes.push(block)
    }
    block.fields.push(profileFieldView(ctx, field, account, concerns(all, field, account.values)))
  }
  return { useUserFio, tabs }
}

type Access = ProfileDetails['accessInfo']['services'][number]

/** What the person may do, by application; the platform itself has no name here and stands last. */
async function servicesOf(userId: string, locale: string): Promise<Access[]> {
  const services = new Map<string | null, Access>()
  for (const row of await selectMethodsByRole(userId, locale)) {
    const { applicationId: id } = row
    const service = services.get(id) ?? { id, name: id === null ? '' : (row.application ?? ''), roles: [], methods: [] }
    services.set(id, service)
    const { roleId, roleName, methodId, methodName } = row
    if (!service.roles.some((role) => role.roleId === roleId)) service.roles.push({ roleId, roleName })
    if (!service.methods.some((method) => method.methodId === methodId)) service.methods.push({ methodId, methodName })
  }
  const own = services.get(null)
  return [...[...services.values()].filter(({ id }) => id !== null), ...(own ? [own] : [])]
}

type Account = Awaited<ReturnType<typeof ownAccount>>['account']

/** The columns that the profile shows; null for the others. */
function shownColumns(account: Account, fields: readonly Definition[]) {
  const seen = (code: string) => fields.some((field) => isBase(field) && field.code === code)
  // both forms of the name are made of each other
  const name = ['fio', 'lastName', 'firstName', 'middleName'].some(seen)
  return {
    fio: name ? account.fio : null,
    lastName: name ? account.lastName : null,
    firstName: name ? account.firstName : null,
    middleName: name ? account.middleName : null,
    birthDate: seen('birthDate') ? account.birthDate : null,
    gender: seen('gender') ? account.gender : null,
    email: seen('email') ? account.email : null,
    mobile: seen('mobile') ? account.mobile : null,
    login: seen('login') ? account.login : null,
    locale: seen('locale') ? account.locale : null,
    comment: seen('comment') ? account.comment : null,
  }
}

/** Returns all that the own profile shows. Throws 401. */
export async function readProfileDetails(ctx: Ctx): Promise<ProfileDetails> {
  requireUser(ctx)
  const { id, login } = ctx.user
  const [{ account, directory }, fields, state, groups, services, last, termsInfo, contacts, keptOf] =
    await Promise.all([
      ownAccount(id),
      ownFields(),
      stateOf(id),
      selectGroups(id, ctx.locale),
      servicesOf(id, ctx.locale),
      selectLastChange(id),
      ownTerms(ctx, id),
      contactDetails(id),
      keptFields(),
    ])
  const columns = shownColumns(account, fields)
  const dynamic = fields.filter((field) => !isBase(field) && isFilled(storedUnder(account.values, field.code)))
  const you = last?.changerId === id
  const changer = last?.person ?? last?.application ?? (you ? login : null)
  return {
    mainInfo: {
      avatar: ctx.user.picture,
      ...columns,
      groups,
      isEditable: account.isEditable,
      kept: [...keptOf(account.providerId)],
      directory,
    },
    contactsInfo: contacts,
    additionalInfo: Object.fromEntries(dynamic.map(({ code }) => [code, account.values[code]])),
    accessInfo: { ...state.accessInfo, services },
    updatedInfo: {
      createdAt: account.createdAt.toISOString(),
      updatedAt: account.updatedAt.toISOString(),
      by: changer ? { name: changer, you } : null,
      passwordChangedAt: account.passwordChangedAt?.toISOString() ?? null,
    },
    termsInfo,
    availableActions: state.availableActions,
  }
}

/** Changes fields of the own profile; throws as `changeProfile` does. */
export const updateProfile = (ctx: Ctx, input: ServiceInput<typeof calls.updateProfile>) => changeProfile(ctx, input)
