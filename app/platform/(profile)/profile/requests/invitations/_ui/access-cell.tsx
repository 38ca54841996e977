type Props = { access: readonly { organizationId: string; organization: string; roles: readonly { name: string }[] }[] }

/** The roles of an invitation by organization. */
export function AccessCell({ access }: Props) {
  if (access.length === 0) return null
  return (
    <span className="grid gap-1">
      {access.map(({ organizationId, organization, roles }) => (
        <span key={organizationId} className="wrap-anywhere grid">
          <span>{roles.map(({ name }) => name).join(', ')}</span>
          <span className="text-ink-second text-note">{organization}</span>
        </span>
      ))}
    </span>
  )
}
