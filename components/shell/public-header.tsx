import type { ReactNode } from 'react'
import type { ProjectInfo, ProjectLocaleOptions } from '@/lib/site/project-info/contract'
import { Mark } from '../look/mark'
import { cn } from '../ui/cn'
import type { Theme } from './choices'
import { HeaderChoices } from './header-choices'

type Props = {
  project: ProjectInfo
  options: ProjectLocaleOptions | undefined
  locale: string
  /** The theme that this browser chose. */
  theme: Theme
  signedIn: boolean
  /** Whether the name of the domain links to its first page. */
  home?: boolean
  className: string
  /** Replaces the choice of theme and language. */
  choices?: ReactNode
  /** The content after the theme and the language. */
  children?: ReactNode
}

/** The header of a public page: the domain, and the choice of theme and language. */
export function PublicHeader({
  project,
  options,
  locale,
  theme,
  signedIn,
  home = false,
  className,
  choices,
  children,
}: Props) {
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
      {choices ?? (
        <HeaderChoices
          languages={project.locales}
          locale={locale}
          theme={theme}
          signedIn={signedIn}
          className="ml-auto"
        />
      )}
      {children}
    </header>
  )
}
