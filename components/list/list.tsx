'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import { type ComponentProps, createContext, type ReactNode, use, useMemo, useTransition } from 'react'

type Going = {
  /** Goes to another state of the list; the old one stays, dimmed, until the new one is there. */
  go: (href: string, how?: 'push' | 'replace') => void
  pending: boolean
}
const Context = createContext<Going>({ go: () => {}, pending: false })

export const useList = () => use(Context)

/** A list with its tools, table and pager. All of its state is in the address; this only knows that it is changing. */
export function List({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const going = useMemo<Going>(
    () => ({
      go: (href, how = 'push') => startTransition(() => router[how](href, { scroll: false })),
      pending,
    }),
    [router, pending],
  )
  return (
    <Context value={going}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">{children}</div>
    </Context>
  )
}

/** A link to another state of the list. Works before scripts do; with them, the list says that it is under way. */
export function ListLink({ href, ...rest }: ComponentProps<typeof Link> & { href: string }) {
  const { go } = useList()
  return (
    <Link
      {...rest}
      href={href}
      prefetch={false}
      scroll={false}
      onNavigate={(event) => {
        event.preventDefault()
        if (rest['aria-disabled'] !== true) go(href)
      }}
    />
  )
}

/** What a change of the address replaces: says that it is busy, and dims if that takes a while. */
export function ListBody({ children }: { children: ReactNode }) {
  const { pending } = useList()
  return (
    <div aria-busy={pending || undefined} className="transition-opacity aria-busy:opacity-55 aria-busy:delay-150">
      {children}
    </div>
  )
}
