'use client'

import { useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { FailurePage } from '@/components/shell/failure-page'
import { buttonClasses } from '@/components/ui/button-classes'

type Words = { title: string; text: string; action: string; href: string }
type Props = { page: Words; links: Record<string, Words>; frame: { header: ReactNode; footer: ReactNode } }

/** Chooses the text by the address, because Next passes no parameters to a page that answers 404. */
export function UnknownLink({ page, links, frame }: Props) {
  const kind = useSearchParams().get('link') ?? ''
  const { title, text, action, href } = (Object.hasOwn(links, kind) ? links[kind] : undefined) ?? page
  return (
    <FailurePage title={title} text={text} {...frame}>
      <a href={href} className={buttonClasses({ size: 'L' })}>
        {action}
      </a>
    </FailurePage>
  )
}
