import type { ReactNode } from 'react'
import type { ProjectInfo, ProjectLocaleOptions } from '@/lib/site/project-info/contract'
import { Mark } from '../look/mark'
import { cn } from '../ui/cn'

type Props = {
  project: ProjectInfo
  options: ProjectLocaleOptions | undefined
  /** Whether the name of the domain links to its first page. */
  home?: boolean
  className: string
  /** The choice of theme and language, and what stands after it. */
  children?: ReactNode
}

/** The header of a public page: the domain, and the choice of theme and language. */
export function PublicHeader({ project, options, home = false, className, children }: Props) {
  const look = 'flex min-w-0 items-center gap-3 font-semibold text-body leading-5 md:text-section'
  const name = (
    <>
      <Mark code={project.code} logo={project.logo} className="text-brand" />
      <span className="min-w-0 hyphens-auto break-words">{options?.projectName || options?.projectTitle}</span>
    </>
  )
  return (
    <header
      className={cn('flex min-h-16 items-center justify-between gap-4 px-4 xs:px-6 md:px-12 print:hidden', className)}
    >
      {home ? (
        <a href="/" className={cn(look, 'min-h-11 rounded-control')}>
          {name}
        </a>
      ) : (
        <p className={look}>{name}</p>
      )}
      {children}
    </header>
  )
}
