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

/** Returns the signed-in person, the required fields that are empty, and the actions for their password. Throws 401. */
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
  const [{ account: row }, allFields, fields, { useUserFio }, keptOf] = await Promise.all([
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
    block.fields.push(profileFieldView(ctx, field, account, concerns(allFields, field, account.values)))
  }
  return { useUserFio, tabs }
}

type Access = ProfileDetails['accessInfo']['services'][number]

/** Returns the person's roles and methods by application; the platform itself has no name here and comes last. */
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
  const platform = services.get(null)
  return [...[...services.values()].filter(({ id }) => id !== null), ...(platform ? [platform] : [])]
}

type Account = Awaited<ReturnType<typeof ownAccount>>['account']

/** Returns the columns that the profile shows; null for the others. */
function visibleColumns(account: Account, fields: readonly Definition[]) {
  const isVisible = (code: string) => fields.some((field) => isBase(field) && field.code === code)
  // both forms of the name are derived from each other
  const nameVisible = ['fio', 'lastName', 'firstName', 'middleName'].some(isVisible)
  return {
    fio: nameVisible ? account.fio : null,
    lastName: nameVisible ? account.lastName : null,
    firstName: nameVisible ? account.firstName : null,
    middleName: nameVisible ? account.middleName : null,
    birthDate: isVisible('birthDate') ? account.birthDate : null,
    gender: isVisible('gender') ? account.gender : null,
    email: isVisible('email') ? account.email : null,
    mobile: isVisible('mobile') ? account.mobile : null,
    login: isVisible('login') ? account.login : null,
    locale: isVisible('locale') ? account.locale : null,
    comment: isVisible('comment') ? account.comment : null,
  }
}

/** Returns all that the own profile shows. Throws 401. */
export async function readProfileDetails(ctx: Ctx): Promise<ProfileDetails> {
  requireUser(ctx)
  const { id, login } = ctx.user
  const [{ account, directory }, fields, state, groups, services, lastChange, termsInfo, contacts, keptOf] =
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
  const columns = visibleColumns(account, fields)
  const dynamic = fields.filter((field) => !isBase(field) && isFilled(storedUnder(account.values, field.code)))
  const you = lastChange?.changerId === id
  const changer = lastChange?.person ?? lastChange?.application ?? (you ? login : null)
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
