import { cookies } from 'next/headers'

/** Returns the theme that the person chose; undefined to follow the system. */
export async function pageTheme(): Promise<'light' | 'dark' | undefined> {
  const theme = (await cookies()).get('theme')?.value
  return theme === 'light' || theme === 'dark' ? theme : undefined
}
