const shipped = 'comes with the platform'

export default {
  unrecorded: { type: shipped, title: shipped, titleEn: shipped, viewType: shipped, systemic: shipped },
}
