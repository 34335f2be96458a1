namespace orogen::compute {}
