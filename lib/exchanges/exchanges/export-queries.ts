import { and, asc, count, eq, gt, inArray } from 'drizzle-orm'
import { db } from '@/db/client'
import {
  contractors,
  methods,
  organizations,
  providers,
  roleMethods,
  roles,
  userContractorRoles,
  userContractors,
  userRoles,
  users,
} from '@/db/schema/people'
import { applications } from '@/db/schema/platform'

/** Returns the accounts after an id, in the order of their ids. */
export const selectUsersAfter = (after: string | null, limit: number) =>
  db()
    .select({
      id: users.id,
      login: users.login,
      email: users.email,
      mobile: users.mobile,
      lastName: users.lastName,
      firstName: users.firstName,
      middleName: users.middleName,
      fio: users.fio,
      birthDate: users.birthDate,
      gender: users.gender,
      locale: users.locale,
      enabled: users.enabled,
      externalId: users.externalId,
      provider: providers.name,
      values: users.values,
      createdAt: users.createdAt,
      updatedAt: users.updatedAt,
    })
    .from(users)
    .leftJoin(providers, eq(providers.id, users.providerId))
    .where(after ? gt(users.id, after) : undefined)
    .orderBy(asc(users.id))
    .limit(limit)

/** Returns the systemic and organizational roles of these people. */
export const selectRolesOf = (ids: string[]) =>
  db()
    .select({
      userId: userRoles.userId,
      id: roles.id,
      code: roles.code,
      name: roles.name,
      organization: organizations.code,
    })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.roleId))
    .leftJoin(organizations, eq(organizations.id, userRoles.organizationId))
    .where(inArray(userRoles.userId, ids))
    .orderBy(asc(roles.name), asc(roles.id), asc(organizations.code))

/** Returns the contractors of these people. */
export const selectContractorsOf = (ids: string[]) =>
  db()
    .select({
      userId: userContractors.userId,
      id: contractors.id,
      externalCode: contractors.externalCode,
      inn: contractors.inn,
      kpp: contractors.kpp,
      name: contractors.name,
    })
    .from(userContractors)
    .innerJoin(contractors, eq(contractors.id, userContractors.contractorId))
    .where(inArray(userContractors.userId, ids))
    .orderBy(asc(contractors.name), asc(contractors.id))

/** Returns the roles that these people hold for contractors. */
export const selectContractorRolesOf = (ids: string[]) =>
  db()
    .select({
      userId: userContractorRoles.userId,
      contractorId: userContractorRoles.contractorId,
      id: roles.id,
      code: roles.code,
      name: roles.name,
      organization: organizations.code,
    })
    .from(userContractorRoles)
    .innerJoin(roles, eq(roles.id, userContractorRoles.roleId))
    .innerJoin(organizations, eq(organizations.id, userContractorRoles.organizationId))
    .where(inArray(userContractorRoles.userId, ids))
    .orderBy(asc(roles.name), asc(roles.id), asc(organizations.code))

export const countUsers = async () => (await db().select({ count: count() }).from(users))[0]?.count ?? 0
export const countRoles = async () => (await db().select({ count: count() }).from(roles))[0]?.count ?? 0

/** Returns the roles after an id, in the order of their ids. */
export const selectRolesAfter = (after: string | null, limit: number) =>
  db()
    .select()
    .from(roles)
    .where(after ? gt(roles.id, after) : undefined)
    .orderBy(asc(roles.id))
    .limit(limit)

/** Returns the methods of these roles. */
export const selectMethodsOf = (ids: string[]) =>
  db()
    .select({ roleId: roleMethods.roleId, code: methods.code, application: applications.code })
    .from(roleMethods)
    .innerJoin(methods, eq(methods.id, roleMethods.methodId))
    .leftJoin(applications, and(eq(applications.id, methods.applicationId)))
    .where(inArray(roleMethods.roleId, ids))
    .orderBy(asc(applications.code), asc(methods.code))
