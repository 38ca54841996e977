type InvitedRole = { organizationId: string; organization: string; roleId: string; role: string }
type OrganizationAccess = { organizationId: string; organization: string; roles: { id: string; name: string }[] }

/** Groups the roles of an invitation by organization, in the order of the rows. */
export function accessOf(rows: readonly InvitedRole[]): OrganizationAccess[] {
  const places = new Map<string, OrganizationAccess>()
  for (const { organizationId, organization, roleId, role } of rows) {
    const place = places.get(organizationId) ?? { organizationId, organization, roles: [] }
    place.roles.push({ id: roleId, name: role })
    places.set(organizationId, place)
  }
  return [...places.values()]
}
