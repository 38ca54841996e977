'use client'

/**
 * Stands at the end of the page, and of each part that the server streams: React hydrates these by themselves, later than
 * the page around them. Tells the pre-hydration script when it has.
 */
export const PartEnd = () => (
  <template
    data-part-end=""
    ref={(end) => {
      end?.setAttribute('data-part-end', 'hydrated')
      window.partHydrated?.()
    }}
  />
)
