const shipped = 'comes with the platform'

export default { unrecorded: { viewType: shipped, systemic: shipped } }
