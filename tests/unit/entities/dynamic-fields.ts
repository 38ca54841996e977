const shipped = 'comes with the platform'

export default { unrecorded: { systemic: shipped, immutable: shipped, actionsAccess: shipped } }
