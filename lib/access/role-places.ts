type HeldRole = { organizationId: string; organization: string; enabled: boolean; roleId: string; role: string }
type Place = Pick<HeldRole, 'organizationId' | 'organization' | 'enabled'> & { roles: { id: string; name: string }[] }

/** Groups the roles that somebody holds for a contractor by organization, in the order of the rows. */
export function placesOf(held: readonly HeldRole[]): Place[] {
  const places = new Map<string, Place>()
  for (const { organizationId, organization, enabled, roleId, role } of held) {
    const place = places.get(organizationId) ?? { organizationId, organization, enabled, roles: [] }
    place.roles.push({ id: roleId, name: role })
    places.set(organizationId, place)
  }
  return [...places.values()]
}
