/** An e-mail address or number. A long address breaks before its @, where it can. */
export function Address({ value }: { readonly value: string }) {
  const at = value.lastIndexOf('@')
  return (
    <bdi>
      {at < 0 ? value : value.slice(0, at)}
      {at >= 0 && <wbr />}
      {at >= 0 && value.slice(at)}
    </bdi>
  )
}
