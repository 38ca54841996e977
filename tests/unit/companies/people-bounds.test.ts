import { expect, test } from 'vitest'
import { createRole, RoleQuery } from '@/lib/access/roles/contract'
import { addHolders, HolderQuery } from '@/lib/accounts/role-holders/contract'
import {
  ContractorInvitationQuery,
  ContractorPeopleQuery,
  ContractorQuery,
  createContractor,
} from '@/lib/companies/contractors/contract'
import {
  createOrganization,
  OrganizationContractorQuery,
  OrganizationQuery,
} from '@/lib/companies/organizations/contract'

const byName = { sortBy: 'name', sort: 'asc' }

test.each([
  ['roles', RoleQuery, byName],
  ['holders of a role', HolderQuery, byName],
  ['organizations', OrganizationQuery, byName],
  ['contractors of an organization', OrganizationContractorQuery, byName],
  ['contractors', ContractorQuery, byName],
  ['people of a contractor', ContractorPeopleQuery, byName],
  ['invitations to a contractor, the newest first', ContractorInvitationQuery, { sortBy: 'createdAt', sort: 'desc' }],
] as const)('%s have their default sort, and refuse another', (_, query, sorted) => {
  expect(query.parse({})).toMatchObject({ ...sorted, page: 1 })
  expect(query.safeParse({ sortBy: 'id' }).success).toBe(false)
  expect(query.safeParse({ filter: { search: 'x'.repeat(101) } }).success).toBe(false)
})

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const ids = (count: number) => Array.from({ length: count }, (_, n) => id(n))
const role = { name: 'x', roleType: 'systemic' }

/** The last accepted value of a field, and the first refused one. */
test.each([
  ['a role', createRole, role, 'name', 'x'.repeat(100), 'x'.repeat(101)],
  ['a role', createRole, role, 'name', 'x', ' '],
  ['a role', createRole, role, 'nameEn', 'x'.repeat(100), 'x'.repeat(101)],
  ['a role', createRole, role, 'comment', 'x'.repeat(500), 'x'.repeat(501)],
  ['a role', createRole, role, 'roleType', 'contractor', 'global'],
  ['a role', createRole, role, 'methods', ids(2_000), ids(2_001)],
  ['holders', addHolders, { users: ids(1) }, 'users', ids(100), ids(101)],
  ['holders', addHolders, { users: ids(1) }, 'users', ids(1), []],
  ['an organization', createOrganization, { name: 'x' }, 'name', 'x'.repeat(255), 'x'.repeat(256)],
  ['an organization', createOrganization, { name: 'x' }, 'nameEn', '', 'x'.repeat(256)],
  ['an organization', createOrganization, { name: 'x' }, 'code', 'a-1', 'А-1'],
  ['an organization', createOrganization, { name: 'x' }, 'inn', '7707083893', '770708389'],
  ['a contractor', createContractor, { name: 'x' }, 'name', 'x'.repeat(255), 'x'.repeat(256)],
  ['a contractor', createContractor, { name: 'x' }, 'name', 'x', ''],
  ['a contractor', createContractor, { name: 'x' }, 'availableOrganizations', ids(200), ids(201)],
  ['a contractor', createContractor, { name: 'x' }, 'inn', '770708389312', '77070838931'],
  ['a contractor', createContractor, { name: 'x', inn: '7707083893' }, 'kpp', '770701001', '77070100'],
  ['a contractor', createContractor, { name: 'x', inn: '7707083893' }, 'kpp', '770701001', ''],
  ['a contractor', createContractor, { name: 'x', inn: '770708389312' }, 'kpp', '', '770701001'],
  ['a contractor', createContractor, { name: 'x' }, 'ogrn', '1027700132195', '102770013219'],
  ['a contractor', createContractor, { name: 'x' }, 'okpo', '00032537', '0003253'],
  ['a contractor', createContractor, { name: 'x' }, 'externalCode', 'x'.repeat(64), 'x'.repeat(65)],
] as const)('%s: %o', (_, { body }, base, field, accepted, refused) => {
  expect(body?.safeParse({ ...base, [field]: accepted }).error?.issues).toBeUndefined()
  expect(body?.safeParse({ ...base, [field]: refused }).error?.issues.map(({ path }) => path[0])).toEqual([field])
})
