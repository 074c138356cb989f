-- Links from page to page are words alone in a book.
function Link(link)
  if not link.target:match("^https?://") then return link.content end
end
