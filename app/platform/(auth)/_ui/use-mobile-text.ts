'use client'

import { useLocale } from 'next-intl'
import { useEffect, useState } from 'react'
import { shownMobile } from './mobile-number'

/**
 * Formats a mobile as people of the page's language write it. It loads the formats of all countries when it needs them.
 */
export function useMobileText(mobile: string): string {
  const locale = useLocale()
  const [known, setKnown] = useState<{ mobile: string; text: string } | null>(null)
  useEffect(() => {
    if (!mobile) return
    let gone = false
    import('@/lib/base/text/mobile').then(
      ({ mobileText }) => gone || setKnown({ mobile, text: mobileText(mobile, locale) }),
      // offline: the number stays unformatted
      () => {},
    )
    return () => {
      gone = true
    }
  }, [mobile, locale])
  return known?.mobile === mobile ? known.text : shownMobile(mobile)
}
