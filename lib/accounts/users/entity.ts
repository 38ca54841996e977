import { contactAgreement } from '@/db/schema/contacts'
import { gender } from '@/db/schema/people'
import {
  anything,
  choice,
  combinations,
  date,
  defineEntity,
  list,
  number,
  reference,
  references,
  secret,
  text,
  yesNo,
} from '@/lib/base/audit/entity'
import { subscriptionFields } from '@/lib/messaging/subscriptions/fields'

type OrganizationRole = { organizationId: string; roleId: string }
type ContractorRole = { contractorId: string; organizationId: string; roleId: string }

export const userEntity = defineEntity('users', {
  login: text('history.users.login'),
  externalId: text('history.users.externalId'),
  email: text('history.users.email'),
  mobile: text('history.users.mobile'),
  lastName: text('history.users.lastName'),
  firstName: text('history.users.firstName'),
  middleName: text('history.users.middleName'),
  fio: text('history.users.fio'),
  birthDate: date('history.users.birthDate'),
  gender: choice('history.users.gender', gender.enumValues, 'history.users.genders'),
  locale: text('history.users.locale'),
  comment: text('history.users.comment'),
  /** Only that there is another one: the history keeps no pictures. */
  picture: secret('history.users.picture'),
  otherEmails: list<string>('history.users.otherEmails'),
  otherMobiles: list<string>('history.users.otherMobiles'),
  /** By contact: whether the person may be contacted there, and in which messengers a number is reached. */
  'contactAgreement:*': choice(
    'history.users.contactAgreement',
    contactAgreement.enumValues,
    'history.users.contactAgreements',
  ),
  'contactMessengers:*': list<string>('history.users.contactMessengers'),
  enabled: yesNo('history.users.enabled'),
  /** Why the account was disabled. */
  blockReason: text('history.users.blockReason'),
  isEditable: yesNo('history.users.isEditable'),
  /** The code of the schema that was chosen for the account. */
  authenticationSchema: text('history.users.authenticationSchema'),
  /** The logins of the accounts that were merged into this one, and the account that this one was merged into. */
  mergedFrom: list<string>('history.users.mergedFrom'),
  mergedInto: reference('history.users.mergedInto', 'users'),
  /** Accounts at identity providers with which the person signs in: the names of account and provider. */
  linkedProviders: list<string>('history.users.linkedProviders'),
  /** How many wrong entries an administrator made the platform forget. */
  wrongPasswords: number('history.users.wrongPasswords'),
  wrongCodes: number('history.users.wrongCodes'),
  /**
   * The same for codes and links that were sent in a day, and whether the person had to wait because of wrong
   * passwords.
   */
  codesSent: number('history.users.codesSent'),
  passwordWaits: yesNo('history.users.passwordWaits'),
  /** A browser that an administrator made the account forget. */
  knownBrowser: text('history.users.knownBrowser'),
  temporary: yesNo('history.users.temporary'),
  password: secret('history.users.password'),
  authenticatorApp: yesNo('history.users.authenticatorApp'),
  /** The names of passkeys. */
  passkeys: list<string>('history.users.passkeys'),
  /** Why an administrator removed the second factors. */
  resetReason: text('history.users.resetReason'),
  /** Only that there are new ones. */
  recoveryCodes: secret('history.users.recoveryCodes'),
  /** One was used. */
  recoveryCodesLeft: number('history.users.recoveryCodesLeft'),
  /** The name of `password` in histories of earlier versions. */
  passwordHash: secret('history.users.password'),
  roles: references('history.users.roles', 'roles'),
  organizationRoles: combinations<OrganizationRole>('history.users.organizationRoles', {
    organizationId: 'organizations',
    roleId: 'roles',
  }),
  contractors: references('history.users.contractors', 'contractors'),
  contractorRoles: combinations<ContractorRole>('history.users.contractorRoles', {
    contractorId: 'contractors',
    organizationId: 'organizations',
    roleId: 'roles',
  }),
  /** The version of a document that the person agreed to, by the document's id. */
  'agreement:*': number('history.users.agreement'),
  ...subscriptionFields,
  /** The value of a dynamic field, by its code. */
  'field:*': anything('history.users.field'),
})
