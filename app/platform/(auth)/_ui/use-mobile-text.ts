'use client'

import { useLocale } from 'next-intl'
import { useEffect, useState } from 'react'
import { shownMobile } from './mobile-number'

/**
 * Formats a mobile as people of the page's language write it. It loads the formats of all countries when it needs them.
 */
export function useMobileText(mobile: string): string {
  const locale = useLocale()
  const [formatted, setFormatted] = useState<{ mobile: string; text: string } | null>(null)
  useEffect(() => {
    if (!mobile) return
    let ended = false
    import('@/lib/base/text/mobile').then(
      ({ mobileText }) => ended || setFormatted({ mobile, text: mobileText(mobile, locale) }),
      // offline: the number stays unformatted
      () => {},
    )
    return () => {
      ended = true
    }
  }, [mobile, locale])
  return formatted?.mobile === mobile ? formatted.text : shownMobile(mobile)
}
