'use client'

import Link from 'next/link'
import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useRef,
  useTransition,
} from 'react'
import { PagePart } from '../ui/page-part'

type Going = {
  /** Opens another state of the list. The current rows stay, dimmed, until the new ones have loaded. */
  go: (href: string, method?: 'push' | 'replace') => void
  /** The same, then scrolls to the beginning of the list. */
  goToTop: (href: string) => void
  pending: boolean
}
const Context = createContext<Going>({ go: () => {}, goToTop: () => {}, pending: false })

export const useList = () => use(Context)

/** A list with its controls, table and pager. Its whole state is in the address; this only tracks pending changes. */
export function List({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [pending, startTransition] = useTransition()
  const top = useRef<HTMLDivElement>(null)
  const toTop = useRef(false)
  const going = useMemo<Going>(() => {
    const go: Going['go'] = (href, method = 'push') => startTransition(() => router[method](href, { scroll: false }))
    const goToTop = (href: string) => {
      toTop.current = true
      go(href)
    }
    return { go, goToTop, pending }
  }, [router, pending])
  useEffect(() => {
    if (pending || !toTop.current) return
    toTop.current = false
    top.current?.scrollIntoView({ block: 'start' })
  }, [pending])
  return (
    <Context value={going}>
      {/* no grid: in its own grid row the selection bar couldn’t stick */}
      <div ref={top} className="@container flex flex-col gap-4">
        <PagePart of="list">{children}</PagePart>
      </div>
    </Context>
  )
}

type ListLinkProps = ComponentProps<typeof Link> & {
  href: string
  /**
   * Whether the link leads to other rows. Then a click scrolls the list to its beginning; with the keyboard the focus
   * stays.
   */
  otherRows?: boolean
}

/** A link to another state of the list. It works without scripts; with scripts, the list shows that it is loading. */
export function ListLink({ href, otherRows = false, ...rest }: ListLinkProps) {
  const { go, goToTop } = useList()
  const pointed = useRef(false)
  return (
    <Link
      {...rest}
      href={href}
      prefetch={false}
      scroll={false}
      onClick={(event) => {
        pointed.current = event.detail > 0
        rest.onClick?.(event)
      }}
      onNavigate={(event) => {
        event.preventDefault()
        if (rest['aria-disabled'] === true) return
        if (otherRows && pointed.current) goToTop(href)
        else go(href)
      }}
    />
  )
}

/** The part that a change of the address replaces. It is marked as busy, and dimmed if loading takes a while. */
export function ListBody({ children }: { children: ReactNode }) {
  const { pending } = useList()
  return (
    <div aria-busy={pending || undefined} className="transition-opacity aria-busy:opacity-55 aria-busy:delay-150">
      {children}
    </div>
  )
}
