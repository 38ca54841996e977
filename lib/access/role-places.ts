type HeldRole = { organizationId: string; organization: string; enabled: boolean; roleId: string; role: string }
type RolesOfOrganization = Pick<HeldRole, 'organizationId' | 'organization' | 'enabled'> & {
  roles: { id: string; name: string }[]
}

/** Groups the roles that a person holds for a contractor by organization, in the order of the rows. */
export function placesOf(heldRoles: readonly HeldRole[]): RolesOfOrganization[] {
  const byOrganization = new Map<string, RolesOfOrganization>()
  for (const { organizationId, organization, enabled, roleId, role } of heldRoles) {
    const entry = byOrganization.get(organizationId) ?? { organizationId, organization, enabled, roles: [] }
    entry.roles.push({ id: roleId, name: role })
    byOrganization.set(organizationId, entry)
  }
  return [...byOrganization.values()]
}
