// Prevents new threads during its lifetime by requesting a stack larger than any machine has.
#pragma once

#include <cstddef>

#include <pthread.h>

namespace orogen::test {

class WithoutThreads
{
public:
    WithoutThreads()
    {
        pthread_getattr_default_np(&usual_);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t(1) << 46);
        pthread_setattr_default_np(&huge);
        pthread_attr_destroy(&huge);
    }
    WithoutThreads(const WithoutThreads&) = delete;
    WithoutThreads& operator=(const WithoutThreads&) = delete;
    ~WithoutThreads()
    {
        pthread_setattr_default_np(&usual_);
        pthread_attr_destroy(&usual_);
    }

private:
    pthread_attr_t usual_;
};

}  // namespace orogen::test
